// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.address.AddressRefusal;
import io.exaplane.operator.address.KeptAddresses;
import io.exaplane.operator.dependent.OwnedObject;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;

/** The store's address. Not ready pods are left out, so that clients see a lost store as such. */
@KubernetesDependent(informer = @Informer(labelSelector = StoreNames.SELECTOR))
public class StoreService extends OwnedObject<Service, StoreShard> {
  public static final int CLIENT_PORT = 2379;

  /**
   * Where probes and Prometheus find their pages, in the clear; and the operator, unless {@link
   * ClearPages} are limited.
   */
  public static final int METRICS_PORT = 2381;

  StoreService() {
    super(Service.class);
  }

  @Override
  protected Service desired(StoreShard shard, Context<StoreShard> context) {
    return KeptAddresses.ask(
        render(shard), context.getSecondaryResource(Service.class), StoreAddress.known(shard));
  }

  @Override
  protected Service make(Service wanted, StoreShard shard, Context<StoreShard> context) {
    return AddressRefusal.create(wanted, asks -> super.make(asks, shard, context));
  }

  /** The Service of a store. Pure. */
  static Service render(StoreShard shard) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(shard.getMetadata().getName())
        .withNamespace(shard.getMetadata().getNamespace())
        .withLabels(StoreNames.labels(shard))
        .endMetadata()
        .withNewSpec()
        .withType("ClusterIP")
        .withSelector(StoreNames.selector(shard))
        .addNewPort()
        .withName("etcd-client")
        .withPort(CLIENT_PORT)
        .withTargetPort(new IntOrString("client"))
        .withProtocol("TCP")
        .endPort()
        .addNewPort()
        .withName("metrics")
        .withPort(METRICS_PORT)
        .withTargetPort(new IntOrString("metrics"))
        .withProtocol("TCP")
        .endPort()
        .endSpec()
        .build();
  }
}
