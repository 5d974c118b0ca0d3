// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The StatefulSets of a pool, one a tier. Pure. A change reaches shards first, then relays, then
 * roots: templates change at once, and a partition holds back the pods of a tier until those below
 * it are replaced.
 */
public final class PoolSets {
  /** Stands for what a tier's pods are made of. */
  static final String INPUTS = "exaplane.io/inputs";

  /** More than there are pods: none is replaced. */
  private static final int ALL_HELD = 1000;

  /** So long a shard has time to become a member before the next one goes. */
  private static final int MIN_READY_SECONDS = 10;

  private PoolSets() {}

  /**
   * Those of a pool.
   *
   * @param existing as they are, by name
   */
  public static List<StatefulSet> of(
      PoolInputs inputs, PoolTemplates templates, Map<String, StatefulSet> existing) {
    List<StatefulSet> sets = new ArrayList<>();
    boolean released = true;
    for (Map.Entry<Tier, PoolTemplates.Template> tier : templates.tiers().entrySet()) {
      StatefulSet now = existing.get(inputs.names().of(tier.getKey()));
      sets.add(set(inputs, tier.getKey(), tier.getValue(), released));
      released &= now != null && isReplaced(now, tier.getValue().id());
    }
    return sets;
  }

  /** A StatefulSet of a pool with nothing but its name and labels. */
  public static StatefulSet named(PoolInputs inputs, String name) {
    return new StatefulSetBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(inputs.pool().getMetadata().getNamespace())
        .withLabels(inputs.names().labels())
        .endMetadata()
        .build();
  }

  /** The image of a tier's pods, if there are any. */
  public static Optional<String> image(StatefulSet set) {
    return Optional.ofNullable(set)
        .map(s -> s.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage());
  }

  static String inputsOf(StatefulSet set) {
    Map<String, String> annotations = set.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(INPUTS);
  }

  private static boolean isReplaced(StatefulSet set, String id) {
    return id.equals(inputsOf(set)) && SetRollout.isReplaced(set);
  }

  private static StatefulSet set(
      PoolInputs inputs, Tier tier, PoolTemplates.Template template, boolean released) {
    PoolNames names = inputs.names();
    return new StatefulSetBuilder()
        .withNewMetadata()
        .withName(names.of(tier))
        .withNamespace(inputs.pool().getMetadata().getNamespace())
        .withLabels(names.labels(tier))
        .addToAnnotations(INPUTS, template.id())
        .endMetadata()
        .withNewSpec()
        .withReplicas(inputs.replicas(tier))
        .withServiceName(names.of(tier))
        .withPodManagementPolicy("Parallel")
        .withMinReadySeconds(tier == Tier.ROOT ? null : MIN_READY_SECONDS)
        .withRevisionHistoryLimit(2)
        .withNewUpdateStrategy()
        .withType("RollingUpdate")
        .withNewRollingUpdate()
        .withPartition(released ? 0 : ALL_HELD)
        .endRollingUpdate()
        .endUpdateStrategy()
        .withNewSelector()
        .withMatchLabels(names.selector(tier))
        .endSelector()
        .withTemplate(template.pods())
        .endSpec()
        .build();
  }
}
