// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether everything is as the model says. Pure. */
public final class SizingValidCondition {
  private SizingValidCondition() {}

  /**
   * What is to be said of a size; nothing when the model was not asked.
   *
   * @param addons what is known of the sources of spec.addons
   */
  public static Optional<Verdict> of(Sized sized, List<AddonStatus> addons) {
    return sized.tuned().map(_ -> of(sized, addons, sized.controlPlane().names().tuning()));
  }

  /** The same of one that the model answered for, without add-ons. */
  static Verdict of(Sized sized, String configMap) {
    return of(sized, List.of(), configMap);
  }

  /** The same of one that the model answered for. */
  static Verdict of(Sized sized, List<AddonStatus> addons, String configMap) {
    Tuned tuned = sized.tuned().orElseThrow();
    List<String> parts = new ArrayList<>();
    Reason reason = null;
    if (!sized.missingRoutes().isEmpty()) {
      reason = Reason.ReshardNeeded;
      parts.add(
          "%s should have separate stores for %d nodes. The operator chooses stores only at creation, and changed nothing; add stores to spec.storage.stores, and create a ControlPlaneTask with reshard that moves each resource to one of them (docs/resharding.md), or accept the present stores"
              .formatted(
                  sized.missingRoutes().stream()
                      .map(Object::toString)
                      .collect(Collectors.joining(", ")),
                  sized.size().maxNodes()));
    }
    Optional<Problem> shortage = sized.apiServer().flatMap(ApiServerResources::shortage);
    if (shortage.isPresent()) {
      reason = first(reason, shortage.get().reason());
      parts.add(shortage.get().message());
    }
    for (Problem problem : sized.problems()) {
      reason = first(reason, problem.reason());
      parts.add(problem.message());
    }
    for (AddonStatus held : addons) {
      if (Reason.DefinitionsDoNotFit.name().equals(held.reason()) && held.message() != null) {
        reason = first(reason, Reason.DefinitionsDoNotFit);
        parts.add("add-on %s: %s".formatted(held.name(), held.message().replaceFirst("[.]$", "")));
      }
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
          "sized for %d nodes; the size changes to %d nodes at %s unless spec.maxNodes changes again (spec.sizing has the delays)"
              .formatted(sized.size().maxNodes(), change.maxNodes(), change.at()));
    }
    Optional<Quantity> grown =
        sized.apiServer().filter(ApiServerResources::hasGrown).flatMap(ApiServerResources::grown);
    if (grown.isPresent() && shortage.isEmpty() && !isNamed(sized)) {
      reason = first(reason, Reason.MemoryGrown);
      parts.add(
          "each kube-apiserver keeps a limit of %s, since a smaller limit was too small; set spec.apiServer.resources to change the limit"
              .formatted(grown.get()));
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
      return Verdict.yes(
          Reason.AsExpected,
          "Everything matches the model for %d nodes; ConfigMap %s has the reasons."
              .formatted(sized.size().maxNodes(), configMap));
    }
    return Verdict.of(
        met,
        reason,
        String.join(". ", parts) + ". ConfigMap %s has every value.".formatted(configMap));
  }

  private static boolean isNamed(Sized sized) {
    return ContainerMemory.named(ApiServerSpec.resources(sized.controlPlane().spec().apiServer()))
        .isPresent();
  }

  private static Reason first(Reason reason, Reason next) {
    return reason == null ? next : reason;
  }
}
