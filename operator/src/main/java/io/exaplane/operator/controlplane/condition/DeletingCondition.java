// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import java.util.List;

/** Whether a control plane is being removed, and what that waits for. Pure. */
public final class DeletingCondition {
  private DeletingCondition() {}

  /** Of a control plane that nobody deletes. */
  public static Verdict no() {
    return Verdict.no(Reason.AsExpected, "The control plane is not being deleted.");
  }

  /**
   * Of one whose objects are going.
   *
   * @param left those that still exist, for people
   */
  public static Verdict waiting(List<String> left) {
    return Verdict.yes(
        Reason.Removing,
        "Waiting for the deletion of %s.".formatted(String.join(", ", left)) + Patience.NO_ACTION);
  }

  /**
   * Of one whose tasks still move resources between stores that are kept.
   *
   * @param tasks their names, at least one
   */
  public static Verdict moving(List<String> tasks) {
    return Verdict.yes(
        Reason.Removing,
        "Nothing is deleted while resources move between stores whose data is kept: ControlPlaneTask %s. See 'kubectl describe cpltask %s', whose message names the way out if a store does not answer."
            .formatted(String.join(", ", tasks), tasks.getFirst()));
  }

  /** Of one of which somebody refuses to delete a part. */
  public static Verdict refused(Refusal refusal) {
    return Verdict.yes(Reason.WriteRefused, refusal.text());
  }
}
