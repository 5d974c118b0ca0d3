// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.dependent.OwnedObject;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.Optional;

/**
 * Evictions of the store's pod. A critical store whose data goes with its pod may not be evicted: a
 * drain would empty the cluster.
 */
@KubernetesDependent(informer = @Informer(labelSelector = StoreNames.SELECTOR))
public class StoreDisruptionBudget extends OwnedObject<PodDisruptionBudget, StoreShard> {

  StoreDisruptionBudget() {
    super(PodDisruptionBudget.class);
  }

  @Override
  protected PodDisruptionBudget desired(StoreShard shard, Context<StoreShard> context) {
    return render(shard, OwnSet.of(shard, context));
  }

  /** The PodDisruptionBudget of a store. Pure. */
  static PodDisruptionBudget render(StoreShard shard, Optional<StatefulSet> existing) {
    boolean goesWithPod = StoreNames.dataGoesWithPod(shard, existing);
    return new PodDisruptionBudgetBuilder()
        .withNewMetadata()
        .withName(shard.getMetadata().getName())
        .withNamespace(shard.getMetadata().getNamespace())
        .withLabels(StoreNames.labels(shard))
        .endMetadata()
        .withNewSpec()
        .withMaxUnavailable(new IntOrString(goesWithPod ? 0 : 1))
        // One that is only slow has its data still.
        .withUnhealthyPodEvictionPolicy(goesWithPod ? "IfHealthyBudget" : "AlwaysAllow")
        .withNewSelector()
        .withMatchLabels(StoreNames.selector(shard))
        .endSelector()
        .endSpec()
        .build();
  }
}
