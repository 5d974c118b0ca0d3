// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ConditionType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A control plane that somebody fills goes on: its leaders renew their Leases, its apiservers start
 * on what the store holds, deletions make room that is usable at once.
 */
@Order(68)
@Tag("life")
class FullStoreE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String VALUE = "x".repeat(900_000);
  private static final int MOST = 5_000;
  private static final List<String> LEADERS = List.of("kube-controller-manager", "kube-scheduler");

  /** Five times what is wanted: a machine may be busy. */
  private static final Duration ROOM = Duration.ofSeconds(50);

  private static int made;

  @BeforeAll
  static void up() {
    Demo.up();
  }

  @AfterAll
  static void clear() {
    List.of("a", "b").forEach(FullStoreE2E::delete);
    Demo.settled(PATIENCE);
  }

  @Test
  void whoFillsAControlPlaneDoesNotEndIt() {
    List<Integer> transitions = transitions();
    fill();
    leadersRenew("while the store is full");
    String message =
        Bed.awaitCondition(Demo.NAME, Demo.NAMESPACE, ConditionType.Available, "False", PATIENCE)
            .message();
    assertThat(message).contains("demo-default");
    for (Pod pod : Bed.pods(Demo.NAME, Demo.NAMESPACE, "apiserver")) {
      Bed.kubectl("delete", "pod", pod.getMetadata().getName(), "--timeout=120s");
      Bed.await(
          "another apiserver has loaded what the store holds",
          PATIENCE,
          FullStoreE2E::apiServersServe,
          () -> Bed.kubectl("get", "pods"));
    }
    leadersRenew("after both apiservers started anew on the full store");
    delete("a");
    Instant deleted = Instant.now();
    Bed.await(
        "there is room again",
        ROOM,
        () -> Hosted.holds(() -> create("after", "b") != null),
        () -> Bed.describe(Demo.NAME, Demo.NAMESPACE));
    System.out.printf(
        "%d ConfigMaps of 900 KB filled the store; room %d ms after half of them were deleted;"
            + " transitions of the Leases of %s: %s before, %s after%n",
        made,
        Duration.between(deleted, Instant.now()).toMillis(),
        LEADERS,
        transitions,
        transitions());
    assertThat(ends()).as("no process ended for want of memory").doesNotContain("OOMKilled");
  }

  /**
   * A leader that the store refuses is told so, and its Lease goes. One that a busy machine keeps
   * from renewing in time loses its Lease too: that is no fault of the store, so only what was
   * refused counts here.
   */
  private static void leadersRenew(String when) {
    Instant start = Instant.now();
    for (String leader : LEADERS) {
      Bed.await(
          leader + " renews its Lease " + when,
          PATIENCE,
          () -> Hosted.holds(() -> lease(leader).getRenewTime().toInstant().isAfter(start)));
    }
    assertThat(refusedRenewals()).as("renewals that were refused " + when).isEmpty();
  }

  /** What the leaders, and those before them in the same pods, logged of a store without room. */
  private static List<String> refusedRenewals() {
    return LEADERS.stream()
        .map(leader -> leader.substring("kube-".length()))
        .flatMap(component -> Bed.pods(Demo.NAME, Demo.NAMESPACE, component).stream())
        .flatMap(pod -> Stream.of(log(pod, "--previous=false"), log(pod, "--previous=true")))
        .flatMap(String::lines)
        .filter(line -> line.contains("leaderelection") && line.contains("space exceeded"))
        .toList();
  }

  /** Empty where there is no such log. */
  private static String log(Pod pod, String which) {
    Bed.Run run =
        Bed.kubectl(
            Bed.STATE.resolve("kubeconfig"),
            "--namespace=" + Demo.NAMESPACE,
            "logs",
            pod.getMetadata().getName(),
            which);
    return run.exit() == 0 ? run.output() : "";
  }

  private static LeaseSpec lease(String leader) {
    return Demo.client().leases().inNamespace("kube-system").withName(leader).get().getSpec();
  }

  private static void fill() {
    for (made = 0; made < MOST; made++) {
      try {
        create("full-" + made, made % 2 == 0 ? "a" : "b");
      } catch (KubernetesClientException e) {
        assertThat(e.getMessage()).contains("database space exceeded");
        assertThat(made).isGreaterThan(100);
        return;
      }
    }
    throw new AssertionError("the store took " + MOST + " ConfigMaps of 900 KB");
  }

  private static ConfigMap create(String name, String half) {
    return Demo.client()
        .configMaps()
        .inNamespace("default")
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("half", half)
                .endMetadata()
                .withData(Map.of("value", VALUE))
                .build())
        .create();
  }

  private static void delete(String half) {
    Demo.client().configMaps().inNamespace("default").withLabel("half", half).delete();
  }

  private static boolean apiServersServe() {
    List<Pod> pods = Bed.pods(Demo.NAME, Demo.NAMESPACE, "apiserver");
    return pods.size() == 2
        && pods.stream()
            .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
            .allMatch(ContainerStatus::getReady);
  }

  /** How often each leader took its Lease. */
  private static List<Integer> transitions() {
    return LEADERS.stream().map(leader -> lease(leader).getLeaseTransitions()).toList();
  }

  private static List<String> ends() {
    return Bed.CLIENT.pods().inNamespace(Demo.NAMESPACE).list().getItems().stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(Demo.NAME + "-"))
        .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
        .filter(container -> container.getLastState().getTerminated() != null)
        .map(container -> container.getLastState().getTerminated().getReason())
        .toList();
  }
}
