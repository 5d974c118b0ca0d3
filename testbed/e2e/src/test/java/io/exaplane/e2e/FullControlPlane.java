// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ConditionType;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** A control plane whose store somebody fills with large objects of one Kind. */
final class FullControlPlane {
  private static final List<String> LEADERS = List.of("kube-controller-manager", "kube-scheduler");
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration FILLING = Duration.ofMinutes(20);
  private static final int MOST = 10_000;

  /** Wanted are ten seconds, which a busy machine does not keep: the time is printed. */
  private static final Duration ROOM = Duration.ofMinutes(5);

  private final String name;
  private final String namespace;
  private final LargeObject object;
  private int made;

  FullControlPlane(String name, String namespace, LargeObject object) {
    this.name = name;
    this.namespace = namespace;
    this.object = object;
  }

  /**
   * Fills it, and takes away what it has; fails unless it goes on.
   *
   * @return how often a leader lost its Lease meanwhile
   */
  int goesOn() {
    List<Integer> before = transitions();
    fill();
    leadersRenew("while the store is full");
    String message =
        Bed.awaitCondition(name, namespace, ConditionType.Available, "False", PATIENCE).message();
    assertThat(message).contains(name + "-default");
    restartApiServers();
    leadersRenew("after the apiservers started again on the full store");
    Duration room = room();
    List<Integer> after = transitions();
    System.out.printf(
        "%d %s of 900 KB filled the store; room %d ms after half of them were deleted;"
            + " transitions of the Leases of %s: %s before, %s after%n",
        made, object, room.toMillis(), LEADERS, before, after);
    assertThat(ends()).as("no process ended for want of memory").doesNotContain("OOMKilled");
    return sum(after) - sum(before);
  }

  /**
   * Makes objects until the store refuses one. An answer that did not come says nothing, and the
   * client repeats such a request: the object may be there by then.
   */
  private void fill() {
    object.prepare(client(), PATIENCE);
    Bed.await("the store refuses another object", FILLING, () -> !takesMore());
    assertThat(made).isBetween(100, MOST - 1);
  }

  private boolean takesMore() {
    try {
      for (; made < MOST; made++) {
        create("full-" + made, made % 2 == 0 ? "a" : "b");
      }
      return false;
    } catch (KubernetesClientException e) {
      boolean refused = e.getMessage().contains("database space exceeded");
      if (!refused) {
        made++;
        assertThat(e.getCode())
            .as("status of an answer; none is -1 or 0: %s, %s", e.getMessage(), e.getCause())
            .isIn(-1, 0, 409, 429, 500, 503, 504);
      }
      return !refused;
    }
  }

  /** Deletes one apiserver's pod after the other; each new one loads what the store holds. */
  private void restartApiServers() {
    List<Pod> pods = apiServers();
    for (Pod pod : pods) {
      Bed.kubectl(
          "delete",
          "pod",
          pod.getMetadata().getName(),
          "--namespace=" + namespace,
          "--timeout=300s");
      Bed.await(
          "another apiserver has loaded what the store holds",
          PATIENCE,
          () -> serve(pods.size()),
          () -> Bed.describe(name, namespace));
    }
  }

  private boolean serve(int replicas) {
    List<Pod> pods = apiServers();
    return pods.size() == replicas
        && pods.stream()
            .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
            .allMatch(ContainerStatus::getReady);
  }

  private List<Pod> apiServers() {
    return Bed.pods(name, namespace, "apiserver");
  }

  /** Deletes half of the objects; how long it takes until there is room for another one. */
  private Duration room() {
    delete("a");
    Instant deleted = Instant.now();
    Bed.await(
        "there is room again",
        ROOM,
        () -> Hosted.holds(() -> create("after", "b")),
        () -> Bed.describe(name, namespace));
    return Duration.between(deleted, Instant.now());
  }

  void clear() {
    List.of("a", "b").forEach(this::delete);
  }

  private boolean create(String objectName, String half) {
    return client().resource(object.of(objectName, half)).inNamespace("default").create() != null;
  }

  /**
   * One request for each object, as kubectl does it: one for all ends after a minute, and a busy
   * machine reads these objects longer than that.
   */
  private void delete(String half) {
    for (int i = half.equals("a") ? 0 : 1; i < made; i += 2) {
      deleteOne("full-" + i);
    }
    if (half.equals("b")) {
      deleteOne("after");
    }
  }

  private void deleteOne(String objectName) {
    Bed.await(
        objectName + " is deleted",
        PATIENCE,
        () ->
            Hosted.holds(
                () -> {
                  object.all(client()).inNamespace("default").withName(objectName).delete();
                  return true;
                }));
  }

  private KubernetesClient client() {
    return Hosted.client(name, namespace);
  }

  /**
   * Waits until each leader has renewed its Lease, and fails if one was refused. A leader that the
   * store refuses is told so, and its Lease goes. One that a busy machine keeps from renewing in
   * time loses its Lease too: that is no fault of the store, so only what was refused counts.
   */
  private void leadersRenew(String when) {
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
  private List<String> refusedRenewals() {
    return LEADERS.stream()
        .map(leader -> leader.substring("kube-".length()))
        .flatMap(component -> Bed.pods(name, namespace, component).stream())
        .flatMap(pod -> Stream.of(log(pod, "--previous=false"), log(pod, "--previous=true")))
        .flatMap(String::lines)
        .filter(line -> line.contains("leaderelection") && line.contains("space exceeded"))
        .toList();
  }

  /** Empty where there is no such log. */
  private String log(Pod pod, String which) {
    Bed.Run run =
        Bed.kubectl(
            Bed.KUBECONFIG, "--namespace=" + namespace, "logs", pod.getMetadata().getName(), which);
    return run.exit() == 0 ? run.output() : "";
  }

  private static int sum(List<Integer> transitions) {
    return transitions.stream().mapToInt(Integer::intValue).sum();
  }

  /** How often each leader took its Lease, in the order of {@link #LEADERS}. */
  private List<Integer> transitions() {
    return LEADERS.stream().map(leader -> lease(leader).getLeaseTransitions()).toList();
  }

  private LeaseSpec lease(String leader) {
    return client().leases().inNamespace("kube-system").withName(leader).get().getSpec();
  }

  /** Why containers of the control plane's pods ended, each once for its last end. */
  private List<String> ends() {
    return Bed.CLIENT.pods().inNamespace(namespace).list().getItems().stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(name + "-"))
        .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
        .filter(container -> container.getLastState().getTerminated() != null)
        .map(container -> container.getLastState().getTerminated().getReason())
        .toList();
  }
}
