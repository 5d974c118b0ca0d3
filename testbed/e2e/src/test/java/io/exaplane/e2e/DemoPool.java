// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.SchedulerPool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The sample's SchedulerPool, and others, on the test bed. */
final class DemoPool {
  static final String NAME = "demo";
  static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String BY_POOL =
      "{\"spec\":{\"scheduling\":{\"mode\":\"Pool\",\"poolRef\":{\"name\":\"demo\"}}}}";

  private DemoPool() {}

  /** Makes the pool, unless it is there, and lets it take kube-scheduler's place. */
  static void inCharge() {
    Demo.up();
    Demo.host();
    if (get(NAME) == null) {
      Bed.exa(
          "kubectl",
          "apply",
          "--filename=" + Bed.HOME.resolve("config/samples/schedulerpool.yaml"));
    }
    assertThat(Demo.patch(BY_POOL).exit()).isZero();
    await(NAME, "Available", "True");
    Bed.await(
        "the control plane knows that the pool is in charge",
        PATIENCE,
        () ->
            Bed.condition(Demo.get(), ConditionType.SchedulerAvailable)
                .filter(c -> c.reason().equals("PoolInCharge"))
                .isPresent(),
        () -> Bed.describe(Demo.NAME, Demo.NAMESPACE));
    Bed.awaitSettled(Demo.NAME, Demo.NAMESPACE, PATIENCE);
  }

  static SchedulerPool get(String name) {
    return Bed.CLIENT
        .resources(SchedulerPool.class)
        .inNamespace(Demo.NAMESPACE)
        .withName(name)
        .get();
  }

  /** Makes one with this spec, in YAML's flow form. */
  static void make(String name, String spec) throws Exception {
    Path file = Files.createTempFile("schedulerpool", ".yaml");
    Files.writeString(
        file,
        """
        apiVersion: exaplane.io/v1alpha1
        kind: SchedulerPool
        metadata: {name: %s, namespace: %s}
        spec: {%s}
        """
            .formatted(name, Demo.NAMESPACE, spec));
    Bed.exa("kubectl", "apply", "--filename=" + file);
    Files.delete(file);
  }

  static void delete(String name) {
    Bed.exa("kubectl", "delete", "spool", name, "--timeout=60s");
  }

  static void patch(String json) {
    Bed.Run run =
        Bed.run(
            List.of(
                Bed.HOME.resolve("exa").toString(),
                "kubectl",
                "patch",
                "schedulerpool",
                NAME,
                "--type=merge",
                "--patch=" + json));
    assertThat(run.exit()).as(run.output()).isZero();
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
    return text
        + Bed.exa("kubectl", "get", "pods", "--selector=exaplane.io/scheduler-pool=" + name);
  }

  /**
   * Pods of a Deployment in the hosted cluster run, so many; returns who says that it placed them.
   */
  static void podsRun(String deployment, int replicas) {
    Demo.hosted("scale", "deployment", deployment, "--replicas=" + replicas);
    Demo.hosted(
        "wait",
        "--for=jsonpath={.status.readyReplicas}=" + replicas,
        "deployment/" + deployment,
        "--timeout=120s");
  }
}
