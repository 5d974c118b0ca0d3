// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.operator.bundle.BundleMap;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.rollout.RolloutPlan;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The objects that dependents would write, without writing them. Pure. */
public final class Renderings {
  private Renderings() {}

  /** Those that take most of a pass: stores, Deployments, and the two ConfigMaps. */
  public static List<HasMetadata> of(Observed observed, ControlPlanePins pins, RolloutPlan plan) {
    ControlPlaneNames names = observed.controlPlane().names();
    Stream<HasMetadata> maps =
        Stream.of(
            TuningConfigMap.render(observed.sized()),
            BundleMap.of(
                names.bundle(), observed.controlPlane().namespace(), names.labels(), pins.kept()));
    Stream<HasMetadata> deployments =
        pins.rendered().keySet().stream().map(component -> deployment(component, pins, plan));
    return Stream.of(maps, pins.shards(), deployments).<HasMetadata>flatMap(each -> each).toList();
  }

  private static Deployment deployment(String component, ControlPlanePins pins, RolloutPlan plan) {
    return applied(component, pins.deployment(component), Optional.of(plan));
  }

  /** A Deployment that replaces pods as far as a plan lets it. */
  static Deployment applied(String component, Deployment made, Optional<RolloutPlan> plan) {
    return plan.flatMap(known -> known.applied(component))
        .map(applied -> RolloutStep.of(made, applied))
        .orElse(made);
  }
}
