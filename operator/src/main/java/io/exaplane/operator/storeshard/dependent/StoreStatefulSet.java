// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.dependent.OwnedObject;
import io.exaplane.operator.install.Installed;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.storeshard.claim.ClaimGrowth;
import io.exaplane.operator.storeshard.claim.ClaimRecord;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.Optional;

/** The store's one pod. */
@KubernetesDependent(informer = @Informer(labelSelector = StoreNames.SELECTOR))
public class StoreStatefulSet extends OwnedObject<StatefulSet, StoreShard> {
  private final OperatorConfig config;
  private final Installed installed;

  StoreStatefulSet(OperatorConfig config, Installed installed) {
    super(StatefulSet.class);
    this.config = config;
    this.installed = installed;
  }

  @Override
  protected StatefulSet desired(StoreShard shard, Context<StoreShard> context) {
    Images images = new Images(config, shard.getSpec().images());
    // One that was restored, or is of a store that was here before, keeps what it runs.
    Optional<StatefulSet> existing =
        OwnSet.of(shard, context).or(() -> context.getSecondaryResource(StatefulSet.class));
    boolean hasClass = installed.hasStorePriority();
    StoreShard usable =
        ClaimGrowth.usable(
            shard,
            existing,
            context
                .getSecondaryResourcesAsStream(PersistentVolumeClaim.class)
                .filter(claim -> claim.getMetadata().getName().equals(ClaimRecord.claim(shard)))
                .findFirst());
    return switch (shard.getSpec().engine()) {
      case Memory -> MemoryStatefulSet.render(usable, images, existing, hasClass);
      case Etcd -> EtcdStatefulSet.render(usable, images, existing, hasClass);
    };
  }
}
