// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.names.Tier;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the pods of a pool are made of, with what stands for it: what the pool's bundle made, with
 * what the user changed since. Immutable.
 *
 * @param tiers those that have pods
 * @param fallback there when a kube-scheduler is to stand in
 */
public record PoolTemplates(Map<Tier, Template> tiers, Optional<PodTemplateSpec> fallback) {
  private static final String SET = "StatefulSet/";
  private static final String DEPLOYMENT = "Deployment/";

  /** A template, and what stands for it in annotations. */
  public record Template(PodTemplateSpec pods, String id) {}

  /**
   * Those that are applied.
   *
   * @param there an object by its name, if it is the pool's or is to become so
   * @param standIn the same of the stand-in
   * @param former the wishes of before
   */
  public static PoolTemplates of(
      Pins pins,
      PoolInputs inputs,
      Function<String, Optional<StatefulSet>> there,
      Supplier<Optional<Deployment>> standIn,
      Supplier<PoolInputs> former) {
    Map<Tier, Template> tiers = new EnumMap<>(Tier.class);
    for (Tier tier : Tier.values()) {
      if (inputs.replicas(tier) > 0) {
        String object = inputs.names().of(tier);
        PodTemplateSpec pods =
            pins.apply(
                SET + object,
                PoolPods.of(inputs, tier),
                () ->
                    there
                        .apply(object)
                        .map(live -> new Pins.Live(live, "template", PoolSets.inputsOf(live))),
                pins.isMoving(),
                () -> PoolPods.of(former.get(), tier));
        tiers.put(tier, new Template(pods, pins.id(SET + object)));
      }
    }
    String object = DEPLOYMENT + inputs.names().fallback();
    Optional<PodTemplateSpec> fallback =
        PoolFallback.of(inputs)
            .map(
                made ->
                    pins.apply(
                        object,
                        made.getSpec().getTemplate(),
                        () -> standIn.get().map(live -> new Pins.Live(live, "template", null)),
                        pins.isMoving(),
                        () -> PoolFallback.deployment(former.get()).getSpec().getTemplate()));
    pins.keepOnly(
        name ->
            name.equals(object) && fallback.isPresent()
                || tiers.keySet().stream()
                    .anyMatch(tier -> name.equals(SET + inputs.names().of(tier))));
    return new PoolTemplates(tiers, fallback);
  }
}
