// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Any one pod can be killed: the conditions tell it while it happens, and after. */
@Order(60)
class HealingE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(8);

  @BeforeEach
  void up() {
    Demo.up();
  }

  @ParameterizedTest
  @CsvSource({"apiserver", "controller-manager", "scheduler"})
  @Order(1)
  void aLostPodOfAComponentShowsAsDegradedAndComesBack(String component) {
    Pod victim = Bed.pods(Demo.NAME, Demo.NAMESPACE, component).getFirst();
    try (Seen seen = new Seen()) {
      Bed.exa("kubectl", "delete", "pod", victim.getMetadata().getName(), "--wait=false");
      Bed.await(
          "Degraded says that a pod of " + component + " is missing",
          PATIENCE,
          () -> seen.has("Degraded=True PartlyAvailable demo-" + component + " has 1 of 2"),
          seen::toString);
      Bed.awaitSettled(Demo.NAME, Demo.NAMESPACE, PATIENCE);
      assertThat(seen.has("Available=False")).as("the API stayed available").isFalse();
    }
    assertThat(Bed.pods(Demo.NAME, Demo.NAMESPACE, component)).hasSize(2);
  }

  @Test
  @Order(2)
  void aLostEventsStoreLeavesTheApiAvailable() {
    try (Seen seen = new Seen()) {
      Bed.exa("kubectl", "delete", "pod", "demo-events-0", "--wait=false");
      Bed.await(
          "Degraded names the events store",
          PATIENCE,
          () -> seen.has("Degraded=True StoreUnavailable store demo-events does not serve"),
          seen::toString);
      assertThat(seen.has("StoresReady=False StoreUnavailable demo-events")).isTrue();
      Bed.awaitSettled(Demo.NAME, Demo.NAMESPACE, PATIENCE);
      assertThat(seen.has("Available=False")).as(seen.toString()).isFalse();
    }
  }

  @Test
  @Order(2)
  void aRestartedOperatorTakesNothingForLost() {
    try (Seen seen = new Seen()) {
      String rollout = "deployment/exaplane-operator";
      String namespace = "--namespace=" + Bed.OPERATOR_NAMESPACE;
      Bed.exa("kubectl", namespace, "rollout", "restart", rollout);
      Bed.exa("kubectl", namespace, "rollout", "status", rollout, "--timeout=180s");
      Bed.awaitLeader(PATIENCE);
      // A change that only the new leader can have carried out.
      Bed.exa("kubectl", "scale", "cpl", Demo.NAME, "--replicas=3");
      Bed.await(
          "three apiservers",
          PATIENCE,
          () -> Bed.pods(Demo.NAME, Demo.NAMESPACE, "apiserver").size() == 3);
      Bed.exa("kubectl", "scale", "cpl", Demo.NAME, "--replicas=2");
      Bed.awaitSettled(Demo.NAME, Demo.NAMESPACE, PATIENCE);
      assertThat(seen.has("Available=False")).as(seen.toString()).isFalse();
    }
  }

  @Test
  @Order(3)
  void aKilledProcessOfTheDefaultStoreKeepsItsData() {
    Demo.hosted("create", "configmap", "kept", "--from-literal=a=b");
    Pod store = store();
    killProcess("demo-default");
    Bed.await(
        "the container restarted",
        PATIENCE,
        () ->
            store().getStatus().getContainerStatuses().getFirst().getRestartCount()
                > restarts(store));
    Bed.awaitSettled(Demo.NAME, Demo.NAMESPACE, PATIENCE);
    assertThat(Demo.hosted("get", "configmap", "kept")).contains("kept");
    Demo.hosted("delete", "configmap", "kept");
  }

  @Test
  @Order(4)
  void aLostPodOfTheDefaultStoreTakesItsDataAndTheControlPlaneStartsAnew() {
    Demo.hosted("create", "configmap", "lost", "--from-literal=a=b");
    Bed.await("a bound for revisions is known", PATIENCE, () -> !revisionFloor().isEmpty());
    long floor = Long.parseLong(revisionFloor());
    try (Seen seen = new Seen()) {
      Bed.exa("kubectl", "delete", "pod", "demo-default-0", "--wait=false");
      Bed.await(
          "Available is False until all have started on the empty store",
          PATIENCE,
          () -> seen.has("Available=False"),
          seen::toString);
      Bed.await(
          "Degraded says that data was lost",
          PATIENCE,
          () -> seen.has("Degraded=True StoreDataLost"),
          seen::toString);
      Bed.awaitSettled(Demo.NAME, Demo.NAMESPACE, PATIENCE);
    }
    assertThat(Demo.hosted("get", "configmaps", "--all-namespaces")).doesNotContain("lost");
    Bed.await(
        "the new cluster works: its controllers make a service account",
        PATIENCE,
        () -> Demo.hosted("get", "serviceaccounts").contains("default"));
    assertThat(Bed.exa("kubectl", "get", "shard", "demo-default", "--output=yaml"))
        .contains("dataLosses: 1", "reason: StoreDataLost");
    Bed.await(
        "its status says how it came back and how it is",
        PATIENCE,
        () -> shard().matches("PodReplaced Empty True [1-9][0-9]* [1-9][0-9]*"),
        HealingE2E::shard);
    assertThat(
            Long.parseLong(
                Demo.hosted("get", "--raw", "/api/v1/namespaces?limit=1")
                    .replaceAll("(?s).*?\"resourceVersion\":\"(\\d+)\".*", "$1")))
        .as("no revision is used twice: clients that know the old ones read anew")
        .isGreaterThan(floor);
  }

  private static String shard() {
    return Bed.exa(
            "kubectl",
            "get",
            "shard",
            "demo-default",
            "--output=jsonpath={.status.lastRestart.reason} {.status.lastRestart.recovered}"
                + " {.status.conditions[?(@.type==\"TrafficObserved\")].status}"
                + " {.status.revision} {.status.keys}")
        .trim();
  }

  private static String revisionFloor() {
    return Bed.exa(
            "kubectl", "get", "shard", "demo-default", "--output=jsonpath={.status.revisionFloor}")
        .strip();
  }

  private static Pod store() {
    return Bed.CLIENT.pods().inNamespace(Demo.NAMESPACE).withName("demo-default-0").get();
  }

  private static int restarts(Pod pod) {
    return pod.getStatus().getContainerStatuses().getFirst().getRestartCount();
  }

  /** Kills the store whose name the command line carries; it runs on this machine. */
  private static void killProcess(String name) {
    long killed =
        ProcessHandle.allProcesses()
            .filter(p -> p.info().commandLine().orElse("").contains("--name=" + name + " "))
            .filter(ProcessHandle::destroyForcibly)
            .count();
    assertThat(killed).as("processes of store %s that were killed", name).isEqualTo(1);
  }

  /** Every condition that demo ever showed while this was open. */
  private static final class Seen implements Watcher<ControlPlane>, AutoCloseable {
    private final Set<String> lines = new ConcurrentSkipListSet<>();
    private final AutoCloseable watch =
        Bed.CLIENT
            .resources(ControlPlane.class)
            .inNamespace(Demo.NAMESPACE)
            .withName(Demo.NAME)
            .watch(this);

    @Override
    public void eventReceived(Action action, ControlPlane controlPlane) {
      for (ConditionType type : ConditionType.values()) {
        Bed.condition(controlPlane, type).map(Seen::line).ifPresent(lines::add);
      }
    }

    private static String line(Condition condition) {
      return condition.type()
          + "="
          + condition.status()
          + " "
          + condition.reason()
          + " "
          + condition.message();
    }

    boolean has(String start) {
      return lines.stream().anyMatch(line -> line.startsWith(start));
    }

    @Override
    public void onClose(WatcherException cause) {
      lines.add("watch closed: " + cause);
    }

    @Override
    public void close() {
      try {
        watch.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public String toString() {
      return String.join("\n", lines);
    }
  }
}
