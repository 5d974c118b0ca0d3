// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.EndpointSpec;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.storeshard.usage.StoreProbe;
import io.exaplane.tuning.version.Durations;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where the meltdown guard looks. Immutable.
 *
 * @param inside address of the API inside the management cluster
 * @param leaseStore the store of node Leases, if it can count them
 * @param grace after which kube-controller-manager declares a node dead
 */
record GuardTarget(Endpoint inside, Optional<LeaseStore> leaseStore, Duration grace) {
  /**
   * A store that counts Leases.
   *
   * @param uid of its StoreShard
   * @param host of its Service
   */
  record LeaseStore(String uid, String host) {
    /**
     * Where the store counts now.
     *
     * @param unready the host of a store that runs without being ready, by UID
     */
    String host(Function<String, Optional<String>> unready) {
      return unready.apply(uid).orElse(host);
    }
  }

  /** kube-controller-manager's default from 1.32 on. */
  private static final Duration GRACE = Duration.ofSeconds(50);

  private static final String FLAG = "--node-monitor-grace-period=";
  private static final ResourceRef LEASES = new ResourceRef("coordination.k8s.io", "leases");

  /** By what runs; nothing while the API has no address. */
  static Optional<GuardTarget> of(Observed observed) {
    int port = EndpointSpec.of(observed.controlPlane().spec().endpoint()).port();
    return observed
        .serviceAddress()
        .map(
            address ->
                new GuardTarget(
                    new Endpoint(address, port),
                    leaseStore(observed),
                    observed
                        .deployment(ControlPlaneNames.CONTROLLER_MANAGER)
                        .flatMap(GuardTarget::grace)
                        .orElse(GRACE)));
  }

  private static Optional<LeaseStore> leaseStore(Observed observed) {
    String store = observed.routes().store(LEASES, observed.controlPlane().spec().storage());
    String name = observed.controlPlane().names().shard(store);
    return observed.shards().stream()
        .filter(shard -> shard.getMetadata().getName().equals(name))
        .filter(StoreProbe::applies)
        .filter(shard -> shard.getStatus() != null && shard.getStatus().endpoint() != null)
        .map(
            shard ->
                new LeaseStore(
                    shard.getMetadata().getUid(),
                    URI.create(shard.getStatus().endpoint()).getHost()))
        .findFirst();
  }

  /** The last of a flag counts. */
  static Optional<Duration> grace(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getContainers().stream()
        .map(Container::getCommand)
        .flatMap(Collection::stream)
        .filter(argument -> argument.startsWith(FLAG))
        .map(argument -> argument.substring(FLAG.length()))
        .map(text -> text.startsWith("+") ? text.substring(1) : text)
        .map(text -> Duration.ofNanos(Durations.nanos(text)))
        .reduce((_, later) -> later);
  }
}
