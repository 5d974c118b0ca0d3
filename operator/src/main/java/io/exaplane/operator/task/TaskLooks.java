// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.TaskComponent;
import io.exaplane.api.v1alpha1.TaskCredential;
import io.exaplane.api.v1alpha1.TaskRestartSpec;
import io.exaplane.operator.hosted.HostedCalls;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.task.observe.Look;
import io.exaplane.operator.task.observe.StoragePlan;
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
import java.util.function.Function;

/**
 * Reads what a task is judged by, and changes nothing. Only tasks that are under way, or about to
 * be, are looked at: each look costs a few requests. Thread-safe: keeps nothing.
 */
@ApplicationScoped
class TaskLooks {
  static final String ADMINISTRATORS = "exaplane-admins";

  private final HostedClusters clusters;
  private final HostedCalls calls;

  TaskLooks(HostedClusters clusters, HostedCalls calls) {
    this.clusters = clusters;
    this.calls = calls;
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
                .withName(names.component(Look.component(task)))
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
      String uid = controlPlane.getMetadata().getUid();
      return clusters
          .find(uid)
          .flatMap(HostedCluster::clientUnlessClosed)
          .flatMap(hosted -> binding(uid, hosted))
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

  /** A task looks again by itself, so a late answer need not call it. */
  private Optional<ClusterRoleBinding> binding(String uid, KubernetesClient hosted) {
    return calls
        .within(
            uid + "/" + ADMINISTRATORS,
            hosted,
            () ->
                Optional.ofNullable(
                    hosted.resources(ClusterRoleBinding.class).withName(ADMINISTRATORS).get()),
            () -> {})
        .flatMap(Function.identity());
  }
}
