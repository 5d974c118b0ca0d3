// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.Verdict;

/** What is said of a pool whose ControlPlane is paused: nobody looks at nodes. Pure. */
public final class Pause {
  private Pause() {}

  /** For a condition of nodes. */
  public static Verdict nodes(String controlPlane, String pausedUntil) {
    return Verdict.unknown(
        Reason.Paused,
        "The operator does not check nodes, since %s".formatted(text(controlPlane, pausedUntil)));
  }

  /** For the join Secret; follows a whole sentence or begins one. */
  public static String text(String controlPlane, String pausedUntil) {
    return "spec.pausedUntil of ControlPlane %s is %s. Remove the field of the ControlPlane to continue."
        .formatted(controlPlane, pausedUntil);
  }
}
