// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The condition SizingValid. Pure. */
public record SizingVerdict(boolean met, Reason reason, String message) {
  /** What is to be said of a size; of one that the model answered for. */
  public static SizingVerdict of(Sized sized, String configMap) {
    Tuned tuned = sized.tuned().orElseThrow();
    List<String> parts = new ArrayList<>();
    Reason reason = null;
    if (!sized.missingRoutes().isEmpty()) {
      reason = Reason.ReshardNeeded;
      parts.add(
          "%s should have stores of their own for %d nodes; stores are chosen when a control plane is made, and nothing was changed: the user makes a new ControlPlane, or leaves it"
              .formatted(
                  sized.missingRoutes().stream()
                      .map(Object::toString)
                      .collect(Collectors.joining(", ")),
                  sized.size().maxNodes()));
    }
    for (Problem problem : sized.problems()) {
      reason = first(reason, problem.reason());
      parts.add(problem.message());
    }
    for (var warning : tuned.warnings()) {
      reason = first(reason, Reason.LimitsExceeded);
      parts.add("%s: %s; %s".formatted(warning.name(), warning.message(), warning.next()));
    }
    boolean met = reason == null;
    if (sized.size().pending().isPresent()) {
      reason = first(reason, Reason.ChangeDelayed);
      Size.Change change = sized.size().pending().get();
      parts.add(
          "made for %d nodes; for %d from %s on, if spec.maxNodes stays (spec.sizing has the delays)"
              .formatted(sized.size().maxNodes(), change.maxNodes(), change.at()));
    }
    List<OverriddenValue> overrides = tuned.overrides();
    if (!overrides.isEmpty()) {
      reason = first(reason, Reason.Overridden);
      parts.add(
          "overridden: "
              + overrides.stream()
                  .map(OverriddenValue::toString)
                  .collect(Collectors.joining(", ")));
    }
    if (reason == null) {
      return new SizingVerdict(
          true,
          Reason.AsExpected,
          "Everything is as the model has it for %d nodes; ConfigMap %s says why."
              .formatted(sized.size().maxNodes(), configMap));
    }
    return new SizingVerdict(
        met,
        reason,
        String.join(". ", parts) + ". ConfigMap %s has every value.".formatted(configMap));
  }

  private static Reason first(Reason reason, Reason next) {
    return reason == null ? next : reason;
  }
}
