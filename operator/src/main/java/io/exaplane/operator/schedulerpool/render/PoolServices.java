// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.stream.Stream;

/** An address for each root and relay that stays when its pod is replaced. Pure. */
public final class PoolServices {
  static final int TREE_PORT = 7443;

  private PoolServices() {}

  /** None where there is no tree. */
  public static Stream<Service> of(SchedulerPool pool) {
    if (Tier.SHARD.replicas(pool.getSpec()) == 0) {
      return Stream.empty();
    }
    PoolNames names = new PoolNames(pool);
    return Stream.of(Tier.ROOT, Tier.RELAY)
        .flatMap(
            tier ->
                names.members(tier, tier.replicas(pool.getSpec())).stream()
                    .map(pod -> service(pool, names, tier, pod)));
  }

  private static Service service(SchedulerPool pool, PoolNames names, Tier tier, String pod) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(pod)
        .withNamespace(pool.getMetadata().getNamespace())
        .withLabels(names.labels(tier))
        .endMetadata()
        .withNewSpec()
        .withType("ClusterIP")
        // A root is ready only when it knows all that decides, for which it needs nobody below it.
        .withPublishNotReadyAddresses(true)
        .withSelector(names.selectorOf(pod))
        .addNewPort()
        .withName("tree")
        .withPort(TREE_PORT)
        .withTargetPort(new IntOrString("tree"))
        .withProtocol("TCP")
        .endPort()
        .endSpec()
        .build();
  }
}
