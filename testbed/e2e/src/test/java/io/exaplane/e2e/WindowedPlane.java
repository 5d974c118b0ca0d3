// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.e2e.AuditedWrites.Write;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A small control plane with a maintenance window, in a namespace of its own. */
final class WindowedPlane implements AutoCloseable {
  static final String PREFIX = "window-";

  /** kube-apiserver in names and labels of objects. */
  static final String SERVER = "apiserver";

  private static final List<String> STORES = List.of("default", "events");

  final String name;
  final String namespace;
  private final Scratch scratch;

  /** Makes one, with so many kube-apiservers. */
  WindowedPlane(String name, int servers, DailyWindow window) {
    this.scratch =
        new Scratch(
            PREFIX + name,
            Bed.VERSION,
            """
              apiServer: {replicas: %d, tuning: {shutdownDelay: 5s}, resources: {requests: {cpu: 20m, memory: 512Mi}}}
              controllerManager: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
              scheduler: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
              rollout: {minReadySeconds: 5}
              maintenance: %s
              storage:
                stores:
                - {name: default, storage: {type: PersistentVolume, size: 1Gi}, resources: {requests: {cpu: 5m, memory: 256Mi}}}
                - {name: events, criticality: BestEffort, resources: {requests: {cpu: 5m, memory: 128Mi}}}
            """
                .formatted(servers, window.json()));
    this.name = scratch.name;
    this.namespace = scratch.namespace;
  }

  void awaitSettled(Duration deadline) {
    scratch.awaitSettled(deadline);
  }

  /** Patches the spec by a JSON merge patch. */
  void patch(String json) {
    Demo.patch(name, namespace, json);
  }

  ControlPlaneStatus status() {
    return Bed.controlPlane(name, namespace).getStatus();
  }

  /** The bundle of the pods. */
  String bundle() {
    return status().bundle();
  }

  /** Whether every store is of a bundle. */
  boolean hasStoresOf(String bundle) {
    return STORES.stream()
        .map(
            store ->
                Bed.CLIENT
                    .resources(StoreShard.class)
                    .inNamespace(namespace)
                    .withName(name + "-" + store)
                    .get())
        .allMatch(shard -> bundle.equals(shard.getStatus().bundle()));
  }

  /** The condition OperatorUpdatePending, which is there once the control plane has settled. */
  Condition pending() {
    return Bed.condition(Bed.controlPlane(name, namespace), ConditionType.OperatorUpdatePending)
        .orElseThrow();
  }

  Condition awaitPending(String status, Duration deadline) {
    return Bed.awaitCondition(
        name, namespace, ConditionType.OperatorUpdatePending, status, deadline);
  }

  /** Writes an object of the hosted API; whether the API took it. */
  boolean takesWrites() {
    return Hosted.holds(
        () ->
            scratch
                    .client()
                    .resource(
                        new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("written-again")
                            .withNamespace("default")
                            .endMetadata()
                            .build())
                    .forceConflicts()
                    .serverSideApply()
                != null);
  }

  List<Pod> servers() {
    return Bed.pods(name, namespace, SERVER);
  }

  /** All pods, also those of stores. */
  List<Pod> pods() {
    return Bed.CLIENT.pods().inNamespace(namespace).list().getItems();
  }

  static Set<String> uids(List<Pod> pods) {
    return pods.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
  }

  /** The reasons of Events. */
  Set<String> events() {
    return Bed.CLIENT.v1().events().inNamespace(namespace).list().getItems().stream()
        .map(event -> event.getReason())
        .collect(Collectors.toSet());
  }

  /** What a {@link TemplateHistory} calls the stores, in the order in which they move. */
  List<String> stores() {
    return STORES.stream().map(store -> "statefulset " + name + "-" + store).toList();
  }

  String server() {
    return "deployment " + name + "-" + SERVER;
  }

  /** What kube-apiserver is followed by. */
  List<String> followers() {
    return List.of(
        "deployment " + name + "-controller-manager", "deployment " + name + "-scheduler");
  }

  /** Asserts what the ConfigMaps of its own bundle, and of its stores', show as pending. */
  void shows(List<String> own, List<String> critical, List<String> bestEffort) {
    assertThat(ShownDifferences.now(name + "-bundle", namespace)).isEqualTo(own);
    String store = name + "-%s-store-bundle";
    assertThat(ShownDifferences.now(store.formatted("default"), namespace)).isEqualTo(critical);
    assertThat(ShownDifferences.now(store.formatted("events"), namespace)).isEqualTo(bestEffort);
  }

  /** The operator's writes of Deployments and StatefulSets in its namespace. */
  List<Write> writesSince(Instant start) {
    List<Write> all = AuditedWrites.since(start);
    assertThat(all).as("the operator writes its Lease at least").isNotEmpty();
    return all.stream().filter(write -> write.isOfWorkload(namespace)).toList();
  }

  String describe() {
    return Bed.describe(name, namespace) + status().rollout();
  }

  @Override
  public void close() {
    scratch.close();
  }
}
