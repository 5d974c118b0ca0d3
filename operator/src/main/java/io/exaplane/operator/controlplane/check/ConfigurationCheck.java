// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.outcome.Problem;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The rules that the schema can't see. Pure. */
public final class ConfigurationCheck {
  private ConfigurationCheck() {}

  /** In the order in which they are told; each may rely on those before it. */
  private static List<SpecRule> rules(Model model) {
    return List.of(
        new VersionRule(),
        new RoutesRule(),
        new HostBitsRule(),
        new PodAddressesRule(),
        new BuiltInRule(),
        new ArgumentsRule(),
        new ModelRule(model),
        new EndpointHostRule(),
        new PausedUntilRule());
  }

  /**
   * The first rule that the spec breaks.
   *
   * @param model that of the pass
   */
  public static Optional<Problem> check(ControlPlaneSpec spec, Model model) {
    return rules(model).stream().flatMap(rule -> rule.check(spec).stream()).findFirst();
  }

  /**
   * The same, and whether the spec's stores are those that the control plane has.
   *
   * @param shards the StoreShards there are
   * @param tasks those that name the control plane
   */
  public static Optional<Problem> check(
      ControlPlane controlPlane,
      Model model,
      Collection<StoreShard> shards,
      Collection<ControlPlaneTask> tasks) {
    return check(controlPlane.getSpec(), model)
        .or(() -> StorePlanCheck.check(controlPlane, shards, TaskOrders.of(controlPlane, tasks)));
  }
}
