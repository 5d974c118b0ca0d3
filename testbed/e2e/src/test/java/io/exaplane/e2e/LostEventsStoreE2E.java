// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An events store that answers nobody for five minutes takes no apiserver with it. */
@Tag("long")
@Order(110)
class LostEventsStoreE2E {
  private static final Duration AWAY = Duration.ofMinutes(5);

  @Test
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  void apiserversStayReadyAndDegradedNamesTheStore() {
    try (Scratch scratch = new Scratch("events", Bed.VERSION, "")) {
      scratch.awaitSettled(Duration.ofMinutes(5));
      List<Pod> before = apiServers();
      signal("STOP");
      Instant end = Instant.now().plus(AWAY);
      try {
        Condition degraded =
            Bed.awaitCondition(
                scratch.name,
                scratch.namespace,
                ConditionType.Degraded,
                "True",
                Duration.ofMinutes(5));
        assertThat(degraded.message()).contains("events-events");
        aLostControllerManagerStartsWithoutIt();
        Bed.await(
            "five minutes without the store",
            AWAY.plusMinutes(1),
            () -> {
              assertThat(apiServers())
                  .allSatisfy(pod -> assertThat(isReady(pod)).as("%s", name(pod)).isTrue());
              assertThat(
                      Bed.is(
                          Bed.controlPlane(scratch.name, scratch.namespace),
                          ConditionType.Available,
                          Condition.TRUE))
                  .isTrue();
              return Instant.now().isAfter(end);
            });
        scratch.hosted("create", "configmap", "works", "--from-literal=a=b");
      } finally {
        signal("CONT");
      }
      scratch.awaitSettled(Duration.ofMinutes(3));
      assertThat(apiServers())
          .extracting(LostEventsStoreE2E::name)
          .isEqualTo(before.stream().map(LostEventsStoreE2E::name).toList());
      assertThat(apiServers())
          .allSatisfy(
              pod ->
                  assertThat(pod.getStatus().getContainerStatuses().getFirst().getRestartCount())
                      .isZero());
    }
  }

  private static void aLostControllerManagerStartsWithoutIt() {
    Pod lost = Bed.pods("events", "e2e-events", "controller-manager").getFirst();
    Bed.kubectl("--namespace=e2e-events", "delete", "pod", name(lost), "--wait=false");
    Bed.await(
        "another controller-manager is ready while the events store is away",
        Duration.ofMinutes(5),
        () -> {
          List<Pod> pods = Bed.pods("events", "e2e-events", "controller-manager");
          return pods.size() == 2
              && pods.stream().allMatch(pod -> !name(pod).equals(name(lost)) && isReady(pod));
        });
  }

  private static List<Pod> apiServers() {
    return Bed.pods("events", "e2e-events", "apiserver");
  }

  private static String name(Pod pod) {
    return pod.getMetadata().getName();
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
  }

  /** Signals the store, which runs on this machine. */
  private static void signal(String signal) {
    long pid =
        ProcessHandle.allProcesses()
            .filter(p -> p.info().commandLine().orElse("").contains("--name=events-events "))
            .findFirst()
            .orElseThrow()
            .pid();
    assertThat(Bed.run(List.of("kill", "-" + signal, Long.toString(pid))).exit()).isZero();
  }
}
