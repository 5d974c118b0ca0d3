// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task.observe;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.TaskComponent;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Map;
import java.util.Optional;

/**
 * What a task is judged by, besides itself. Immutable.
 *
 * @param deployment of the component that is restarted, or of kube-apiserver for reshard
 * @param shard the store that is restarted
 * @param set of that store
 * @param administrators the group that has the administrator's rights inside the hosted cluster;
 *     empty while nobody knows
 * @param shards all stores by their names in the control plane, for reshard
 * @param sets of the stores that take part, for reshard
 */
public record Look(
    ControlPlane controlPlane,
    Optional<Deployment> deployment,
    Optional<StoreShard> shard,
    Optional<StatefulSet> set,
    Optional<String> administrators,
    Map<String, StoreShard> shards,
    Map<String, StatefulSet> sets) {
  /** The component of a task, as names of objects have it. */
  private static final Map<TaskComponent, String> COMPONENTS =
      Map.of(
          TaskComponent.KubeAPIServer,
          ControlPlaneNames.API_SERVER,
          TaskComponent.KubeControllerManager,
          ControlPlaneNames.CONTROLLER_MANAGER,
          TaskComponent.KubeScheduler,
          ControlPlaneNames.SCHEDULER);

  /** Of a task that moves nothing. */
  public Look(
      ControlPlane controlPlane,
      Optional<Deployment> deployment,
      Optional<StoreShard> shard,
      Optional<StatefulSet> set,
      Optional<String> administrators) {
    this(controlPlane, deployment, shard, set, administrators, Map.of(), Map.of());
  }

  /** The name of a component; null for a store. */
  public static String component(ControlPlaneTask task) {
    return COMPONENTS.get(task.getSpec().restart().component());
  }

  /** A store by its name in the control plane. */
  public Optional<StoreShard> shardOf(String store) {
    return Optional.ofNullable(shards.get(store));
  }

  /** The StatefulSet of a store that takes part. */
  public Optional<StatefulSet> setOf(String store) {
    return Optional.ofNullable(sets.get(store));
  }
}
