// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sample's SchedulerPool, and others, on the test bed. */
final class DemoPool {
  static final String NAME = "demo";
  static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String BY_POOL =
      "{\"spec\":{\"scheduling\":{\"mode\":\"Pool\",\"poolRef\":{\"name\":\"demo\"}}}}";

  private DemoPool() {}

  /** Makes the pool, unless it is there, and lets it take kube-scheduler's place. */
  static void inCharge() {
    Demo.up();
    Demo.host();
    if (get(NAME) == null) {
      Bed.kubectl("apply", "--filename=" + Bed.HOME.resolve("config/samples/schedulerpool.yaml"));
    }
    Demo.patch(BY_POOL);
    await(NAME, "Available", "True");
    Bed.await(
        "the control plane knows that the pool is in charge",
        PATIENCE,
        () ->
            Bed.condition(Demo.get(), ConditionType.SchedulerAvailable)
                .filter(c -> c.reason().equals("PoolInCharge"))
                .isPresent(),
        () -> Bed.describe(Demo.NAME, Demo.NAMESPACE));
    Demo.settled(PATIENCE);
  }

  static SchedulerPool get(String name) {
    return resource(name).get();
  }

  private static Resource<SchedulerPool> resource(String name) {
    return Bed.CLIENT.resources(SchedulerPool.class).inNamespace(Demo.NAMESPACE).withName(name);
  }

  /** Makes one with this spec, in YAML's flow form. */
  static void make(String name, String spec) {
    make(Map.of(name, spec));
  }

  /** Makes some at once, by name. */
  static void make(Map<String, String> specs) {
    StringBuilder manifests = new StringBuilder();
    specs.forEach(
        (name, spec) ->
            manifests.append(
                """
                ---
                apiVersion: exaplane.io/v1alpha1
                kind: SchedulerPool
                metadata: {name: %s, namespace: %s}
                spec: {%s}
                """
                    .formatted(name, Demo.NAMESPACE, spec)));
    Bed.apply(manifests.toString());
  }

  static void delete(Collection<String> names) {
    List<String> command = new ArrayList<>(List.of("delete", "spool", "--timeout=300s"));
    command.addAll(names);
    Bed.kubectl(command.toArray(String[]::new));
  }

  static void patch(String json) {
    resource(NAME).patch(PatchContext.of(PatchType.JSON_MERGE), json);
  }

  /** The pods of a tier of a pool that are not being deleted. */
  static List<Pod> pods(String name, String tier) {
    return Bed.CLIENT
        .pods()
        .inNamespace(Demo.NAMESPACE)
        .withLabel("exaplane.io/scheduler-pool", name)
        .withLabel("app.kubernetes.io/component", tier)
        .list()
        .getItems()
        .stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  static Optional<Condition> condition(String name, String type) {
    SchedulerPool pool = get(name);
    return pool == null || pool.getStatus() == null || pool.getStatus().conditions() == null
        ? Optional.empty()
        : pool.getStatus().conditions().stream().filter(c -> c.type().equals(type)).findFirst();
  }

  /** Waits until a condition has a status, and returns it. */
  static Condition await(String name, String type, String status) {
    Bed.await(
        type + "=" + status + " of pool " + name,
        PATIENCE,
        () -> condition(name, type).filter(c -> c.status().equals(status)).isPresent(),
        () -> describe(name));
    return condition(name, type).orElseThrow();
  }

  /** Waits until a condition has a reason, and returns it. */
  static Condition awaitReason(String name, String type, String reason) {
    Bed.await(
        type + " of pool " + name + " because " + reason,
        PATIENCE,
        () -> condition(name, type).filter(c -> c.reason().equals(reason)).isPresent(),
        () -> describe(name));
    return condition(name, type).orElseThrow();
  }

  /** Waits until all is as its spec says, and returns after how many seconds it was. */
  static long awaitSettled() {
    Instant start = Instant.now();
    Bed.await(
        "pool " + NAME + " is Available, its tree formed, and neither Progressing nor Degraded",
        PATIENCE,
        () -> isSettled(get(NAME)),
        () -> describe(NAME));
    return Duration.between(start, Instant.now()).toSeconds();
  }

  private static boolean isSettled(SchedulerPool pool) {
    return is(pool, "Available", Condition.TRUE)
        && is(pool, "TreeFormed", Condition.TRUE)
        && is(pool, "Progressing", Condition.FALSE)
        && is(pool, "Degraded", Condition.FALSE)
        && pool.getStatus().observedGeneration().equals(pool.getMetadata().getGeneration())
        && pool.getStatus().roots().summary().equals(Demo.get().getStatus().scheduler().summary());
  }

  private static boolean is(SchedulerPool pool, String type, String status) {
    return pool.getStatus() != null
        && pool.getStatus().conditions().stream()
            .anyMatch(c -> c.type().equals(type) && c.status().equals(status));
  }

  static String describe(String name) {
    SchedulerPool pool = get(name);
    StringBuilder text = new StringBuilder();
    if (pool != null && pool.getStatus() != null) {
      pool.getStatus()
          .conditions()
          .forEach(
              c ->
                  text.append(c.type())
                      .append('=')
                      .append(c.status())
                      .append(' ')
                      .append(c.reason())
                      .append(": ")
                      .append(c.message())
                      .append('\n'));
    }
    return text + Bed.kubectl("get", "pods", "--selector=exaplane.io/scheduler-pool=" + name);
  }

  /** Pods of a Deployment in the hosted cluster run, so many. */
  static void podsRun(String name, int replicas) {
    var deployment = Demo.client().apps().deployments().inNamespace("default").withName(name);
    deployment.patch(
        PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":" + replicas + "}}");
    Bed.await(
        replicas + " pods of " + name + " are ready",
        PATIENCE,
        () -> Integer.valueOf(replicas).equals(deployment.get().getStatus().getReadyReplicas()),
        () -> Demo.run("describe", "pods", "--selector=app=" + name).output());
  }

  /**
   * Makes a Deployment in the hosted cluster whose pods do nothing, in place of one that is there.
   */
  static void deploy(String name) {
    Demo.deleteDeployments(List.of(name));
    Demo.hosted(
        "create", "deployment", name, "--image=exaplane/busybox:1", "--", "sleep", "1000000");
  }
}
