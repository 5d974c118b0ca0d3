// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.NodeTotals;
import io.exaplane.tuning.version.Durations;
import java.util.List;
import java.util.Optional;

/**
 * Holds kube-controller-manager's grace period up while nodes of pools still renew their Leases
 * more seldom than the tuning model says: else it would declare them dead in the minutes in which a
 * shorter Lease comes to them. Pure.
 */
final class GraceFloor {
  static final String NAME = "node-monitor-grace-period";
  private static final String FLAG = "--" + NAME + "=";
  private static final long NANOS = 1_000_000_000;

  /** As the model has it: five renewals, in steps of five seconds. */
  private static final long STEP_SECONDS = 5;

  private GraceFloor() {}

  /**
   * The flags with that period.
   *
   * @param isUsers whether the user set the flag, which is then left alone
   */
  static List<String> under(List<String> flags, ControlPlane controlPlane, boolean isUsers) {
    Optional<Long> least =
        Optional.ofNullable(controlPlane.getStatus())
            .map(ControlPlaneStatus::nodes)
            .map(NodeTotals::longestLeaseSeconds)
            .map(GraceFloor::forLease);
    return isUsers || least.isEmpty()
        ? flags
        : flags.stream().map(flag -> raised(flag, least.get())).toList();
  }

  private static long forLease(int seconds) {
    return Math.ceilDiv(5L * seconds, 4 * STEP_SECONDS) * STEP_SECONDS;
  }

  private static String raised(String flag, long least) {
    return flag.startsWith(FLAG) && Durations.nanos(flag.substring(FLAG.length())) / NANOS < least
        ? FLAG + Durations.ofSeconds(least)
        : flag;
  }
}
