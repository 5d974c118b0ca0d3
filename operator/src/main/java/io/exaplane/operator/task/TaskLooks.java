// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.TaskComponent;
import io.exaplane.api.v1alpha1.TaskCredential;
import io.exaplane.api.v1alpha1.TaskRestartSpec;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads what a task is judged by, and changes nothing. Only tasks that are under way, or about to
 * be, are looked at: each look costs a few requests. Thread-safe: keeps nothing.
 */
@ApplicationScoped
class TaskLooks {
  static final String ADMINISTRATORS = "exaplane-admins";

  /** The component of a task, as names of objects have it. */
  private static final Map<TaskComponent, String> COMPONENTS =
      Map.of(
          TaskComponent.KubeAPIServer,
          ControlPlaneNames.API_SERVER,
          TaskComponent.KubeControllerManager,
          ControlPlaneNames.CONTROLLER_MANAGER,
          TaskComponent.KubeScheduler,
          ControlPlaneNames.SCHEDULER);

  private final HostedClusters clusters;

  TaskLooks(HostedClusters clusters) {
    this.clusters = clusters;
  }

  /** The name of a component; null for a store. */
  static String component(ControlPlaneTask task) {
    return COMPONENTS.get(task.getSpec().restart().component());
  }

  Look look(ControlPlaneTask task, ControlPlane controlPlane, KubernetesClient client) {
    TaskRestartSpec restart = task.getSpec().restart();
    String namespace = controlPlane.getMetadata().getNamespace();
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    if (task.getSpec().reshard() != null) {
      return reshard(controlPlane, client);
    }
    if (restart == null) {
      boolean admin = task.getSpec().rotate().credential() == TaskCredential.AdminKubeconfig;
      return new Look(
          controlPlane,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          admin ? administrators(controlPlane) : Optional.empty());
    }
    if (restart.component() == TaskComponent.Store) {
      String name = names.shard(restart.store());
      return new Look(
          controlPlane,
          Optional.empty(),
          Optional.ofNullable(
              client.resources(StoreShard.class).inNamespace(namespace).withName(name).get()),
          Optional.ofNullable(
              client.resources(StatefulSet.class).inNamespace(namespace).withName(name).get()),
          Optional.empty());
    }
    return new Look(
        controlPlane,
        Optional.ofNullable(
            client
                .resources(Deployment.class)
                .inNamespace(namespace)
                .withName(names.component(component(task)))
                .get()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Look reshard(ControlPlane controlPlane, KubernetesClient client) {
    String namespace = controlPlane.getMetadata().getNamespace();
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    Map<String, StoreShard> shards = new TreeMap<>();
    Map<String, StatefulSet> sets = new TreeMap<>();
    for (StoreTemplate store : StoragePlan.of(controlPlane).stores()) {
      String name = names.shard(store.name());
      StoreShard shard =
          client.resources(StoreShard.class).inNamespace(namespace).withName(name).get();
      StatefulSet set =
          client.resources(StatefulSet.class).inNamespace(namespace).withName(name).get();
      if (shard != null) {
        shards.put(store.name(), shard);
      }
      if (set != null) {
        sets.put(store.name(), set);
      }
    }
    return new Look(
        controlPlane,
        Optional.ofNullable(
            client
                .resources(Deployment.class)
                .inNamespace(namespace)
                .withName(names.component(ControlPlaneNames.API_SERVER))
                .get()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        shards,
        sets);
  }

  private Optional<String> administrators(ControlPlane controlPlane) {
    try {
      return clusters
          .find(controlPlane.getMetadata().getUid())
          .flatMap(HostedCluster::clientUnlessClosed)
          .map(hosted -> hosted.resources(ClusterRoleBinding.class).withName(ADMINISTRATORS).get())
          .map(ClusterRoleBinding::getSubjects)
          .stream()
          .flatMap(List::stream)
          .map(Subject::getName)
          .findFirst();
    } catch (KubernetesClientException unreachable) {
      // The API may be away for a moment; the task waits.
      return Optional.empty();
    }
  }
}
