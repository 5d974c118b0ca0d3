// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A SchedulerPool of one root with a maintenance window, beside a control plane's scheduler. */
final class WindowedPool {
  private static final String NAME = WindowedPlane.PREFIX + "pool";

  private final String namespace;

  /** Makes it. */
  WindowedPool(WindowedPlane plane, DailyWindow window) {
    this.namespace = plane.namespace;
    Bed.apply(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: SchedulerPool
        metadata: {name: %s, namespace: %s}
        spec:
          controlPlaneRef: {name: %s}
          schedulerName: windows
          roots: {replicas: 1, resources: {requests: {cpu: 25m}}}
          maintenance: %s
        """
            .formatted(NAME, namespace, plane.name, window.json()));
  }

  private Resource<SchedulerPool> resource() {
    return Bed.CLIENT.resources(SchedulerPool.class).inNamespace(namespace).withName(NAME);
  }

  /** Patches the spec by a JSON merge patch. */
  void patch(String json) {
    resource().patch(PatchContext.of(PatchType.JSON_MERGE), json);
  }

  /** The bundle of the pods. */
  String bundle() {
    return resource().get().getStatus().bundle();
  }

  /** What a {@link TemplateHistory} calls its pods. */
  String root() {
    return "statefulset " + NAME + "-root";
  }

  /** The pending difference, as {@link ShownDifferences} has lines. */
  List<String> difference() {
    return ShownDifferences.now(NAME + "-tree-bundle", namespace);
  }

  /** The condition OperatorUpdatePending, which is there once the pool has settled. */
  Condition pending() {
    return condition(resource().get(), PoolCondition.OperatorUpdatePending).orElseThrow();
  }

  private static Optional<Condition> condition(SchedulerPool pool, PoolCondition type) {
    return pool.getStatus() == null || pool.getStatus().conditions() == null
        ? Optional.empty()
        : pool.getStatus().conditions().stream()
            .filter(condition -> condition.type().equals(type.name()))
            .findFirst();
  }

  private static boolean is(SchedulerPool pool, PoolCondition type, String status) {
    return condition(pool, type).filter(found -> found.status().equals(status)).isPresent();
  }

  /** Waits until all is as its spec says. */
  void awaitSettled(Duration deadline) {
    Bed.await(
        NAME + " is Available, and neither Progressing nor Degraded",
        deadline,
        () -> {
          SchedulerPool pool = resource().get();
          return is(pool, PoolCondition.Available, Condition.TRUE)
              && is(pool, PoolCondition.Progressing, Condition.FALSE)
              && is(pool, PoolCondition.Degraded, Condition.FALSE)
              && pool.getMetadata().getGeneration().equals(pool.getStatus().observedGeneration());
        },
        this::describe);
  }

  String describe() {
    SchedulerPool pool = resource().get();
    return pool == null ? "no pool" : String.valueOf(pool.getStatus());
  }

  /** Deletes it; returns when it is gone. */
  void delete() {
    Bed.kubectl(
        "--namespace=" + namespace,
        "delete",
        "spool",
        NAME,
        "--ignore-not-found",
        "--timeout=300s");
  }
}
