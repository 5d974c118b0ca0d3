// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.addon.AddonReport;
import io.exaplane.operator.status.Verdict;
import java.util.List;
import java.util.Optional;

/** Whether every object of the add-ons is in the hosted cluster as its source says. Pure. */
public final class AddonsReadyCondition {
  /** The worst first. */
  private static final List<Reason> ORDER =
      List.of(
          Reason.AddonCycle,
          Reason.AddonSourceUnreadable,
          Reason.AddonFailed,
          Reason.DefinitionsDoNotFit,
          Reason.AddonsApplying);

  private AddonsReadyCondition() {}

  /** Of all sources; empty without any. A paused source says nothing. */
  public static Optional<Verdict> of(List<AddonReport> reports) {
    List<AddonReport> present = reports.stream().filter(report -> !report.removed()).toList();
    if (present.isEmpty()) {
      return Optional.empty();
    }
    for (Reason reason : ORDER) {
      List<AddonReport> such =
          present.stream().filter(report -> report.reason() == reason).toList();
      if (!such.isEmpty()) {
        return Optional.of(Verdict.no(reason, message(such, present)));
      }
    }
    List<String> paused =
        present.stream()
            .filter(report -> report.reason() == Reason.Paused)
            .map(report -> report.status().name())
            .toList();
    return Optional.of(
        Verdict.yes(
            Reason.AsExpected,
            paused.isEmpty()
                ? "All objects of %d add-ons are applied and healthy.".formatted(present.size())
                : "All objects of the add-ons are applied and healthy, except of paused ones: %s."
                    .formatted(String.join(", ", paused))));
  }

  private static String message(List<AddonReport> such, List<AddonReport> all) {
    AddonReport first = such.getFirst();
    List<String> others =
        all.stream()
            .filter(report -> report != first)
            .filter(report -> ORDER.contains(report.reason()))
            .map(report -> report.status().name())
            .toList();
    String message = "Add-on %s: %s".formatted(first.status().name(), first.status().message());
    return others.isEmpty()
        ? message
        : message + " Also not ready: " + String.join(", ", others) + ".";
  }
}
