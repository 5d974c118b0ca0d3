// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is known of one source. Immutable.
 *
 * @param reason why the source is as it is
 * @param removed whether the spec no longer has the source, and nothing of it is left to delete
 */
public record AddonReport(AddonStatus status, Reason reason, boolean removed) {
  static final String BEGINS = "The operator begins to apply the source. No action is needed.";

  /**
   * Of all sources of a plan, what was seen, or else what the status says already.
   *
   * @param seen by name
   */
  static List<AddonReport> of(AddonPlan plan, Map<String, AddonReport> seen) {
    List<AddonReport> all = new ArrayList<>();
    for (AddonWish wish : plan.wishes()) {
      AddonReport report = seen.get(wish.name());
      if (report == null) {
        report = wish.noted().map(AddonReport::before).orElseGet(() -> begun(wish));
      }
      all.add(noting(wish, report));
    }
    return all;
  }

  /** What an operator before this one, or an earlier pass, said. */
  private static AddonReport before(AddonStatus status) {
    for (Reason reason : Reason.values()) {
      if (reason.name().equals(status.reason())) {
        return new AddonReport(status, reason, false);
      }
    }
    return new AddonReport(status, Reason.AddonsApplying, false);
  }

  private static AddonReport begun(AddonWish wish) {
    return new AddonReport(
        new AddonStatus(
            wish.name(),
            wish.generation(),
            false,
            Reason.AddonsApplying.name(),
            BEGINS,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null),
        Reason.AddonsApplying,
        false);
  }

  /** The same with what the removal of the source needs. */
  private static AddonReport noting(AddonWish wish, AddonReport report) {
    AddonStatus of = report.status();
    return new AddonReport(
        new AddonStatus(
            of.name(),
            of.observedGeneration(),
            of.ready(),
            of.reason(),
            of.message(),
            of.revision(),
            of.fetchedRevision(),
            of.unreadableSince(),
            of.appliedRevision(),
            of.objects(),
            of.applied(),
            of.unchanged(),
            of.durationMilliseconds(),
            of.requests(),
            of.sentBytes(),
            of.failed(),
            of.failures(),
            of.inventory(),
            wish.spec().effectivePrune(),
            wish.spec().serviceAccount()),
        report.reason(),
        report.removed());
  }
}
