// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.util.Arrays;
import java.util.stream.Stream;

/** One PodDisruptionBudget for each tier that is there: evictions take one pod at a time. Pure. */
public final class PoolBudgets {
  private PoolBudgets() {}

  /** Those of a pool. */
  public static Stream<PodDisruptionBudget> of(SchedulerPool pool) {
    return Arrays.stream(Tier.values())
        .filter(tier -> tier.replicas(pool.getSpec()) > 0)
        .map(tier -> budget(pool, tier));
  }

  private static PodDisruptionBudget budget(SchedulerPool pool, Tier tier) {
    PoolNames names = new PoolNames(pool);
    return new PodDisruptionBudgetBuilder()
        .withNewMetadata()
        .withName(names.of(tier))
        .withNamespace(pool.getMetadata().getNamespace())
        .withLabels(names.labels(tier))
        .endMetadata()
        .withNewSpec()
        .withMaxUnavailable(new IntOrString(1))
        .withUnhealthyPodEvictionPolicy("AlwaysAllow")
        .withNewSelector()
        .withMatchLabels(names.selector(tier))
        .endSelector()
        .endSpec()
        .build();
  }
}
