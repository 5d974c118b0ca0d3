// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ConditionType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
    assertThat(transitions()).as("leaders kept their Leases").isEqualTo(transitions);
    delete("a");
    Instant deleted = Instant.now();
    Bed.await(
        "there is room again",
        ROOM,
        () -> Hosted.holds(() -> create("after", "b") != null),
        () -> Bed.describe(Demo.NAME, Demo.NAMESPACE));
    System.out.printf(
        "%d ConfigMaps of 900 KB filled the store; room %d ms after half of them were deleted%n",
        made, Duration.between(deleted, Instant.now()).toMillis());
    assertThat(ends()).as("no process ended for want of memory").doesNotContain("OOMKilled");
    assertThat(transitions()).isEqualTo(transitions);
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
    return List.of("kube-controller-manager", "kube-scheduler").stream()
        .map(name -> Demo.client().leases().inNamespace("kube-system").withName(name).get())
        .map(lease -> lease.getSpec().getLeaseTransitions())
        .toList();
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
