// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import java.util.Map;

/**
 * All that the desired objects of a pool depend on. Immutable; the same inputs always give the same
 * objects.
 *
 * @param images where images come from
 * @param kubernetesVersion of the cluster, as 1.36.3
 * @param credentialsSecret Secret with the kubeconfig, and with what it names
 * @param credentialsEpoch changes when running processes have to be replaced to take up others
 * @param ownsServer whether that Secret also has what a kube-scheduler serves with
 * @param nodes the largest number of nodes
 * @param pods as many as these nodes have
 * @param addresses of the Services, by name; none where there is no tree
 * @param fallback whether a kube-scheduler is to stand in
 */
public record PoolInputs(
    SchedulerPool pool,
    Images images,
    String kubernetesVersion,
    String credentialsSecret,
    String credentialsEpoch,
    boolean ownsServer,
    long nodes,
    long pods,
    Map<String, String> addresses,
    boolean fallback) {

  /** The same for other wishes; a tier that is new in them has no addresses. */
  public PoolInputs of(SchedulerPool other, Images from) {
    return new PoolInputs(
        other,
        from,
        kubernetesVersion,
        credentialsSecret,
        credentialsEpoch,
        ownsServer,
        nodes,
        pods,
        addresses,
        fallback);
  }

  public PoolNames names() {
    return new PoolNames(pool);
  }

  int replicas(Tier tier) {
    return tier.replicas(pool.getSpec());
  }

  /** Whether there are other processes than roots. */
  public boolean hasTree() {
    return replicas(Tier.SHARD) > 0;
  }
}
