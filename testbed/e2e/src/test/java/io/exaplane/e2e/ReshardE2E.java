// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.TaskMove;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Leases move to another store by a task, and back, under a node that renews its own and a client
 * that writes one every 100 ms.
 */
@Order(64)
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReshardE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** For which the operator lets writes wait, by its own figure in the task's status: never 0. */
  private static final long MOST_PAUSE_MS = 5_000;

  /** A client of a busy machine also waits for the machine. */
  private static final long MOST_GAP_MS = 30_000;

  private static final String HOST = "w6";
  private static Scratch scratch;

  @BeforeAll
  static void up() {
    scratch =
        new Scratch(
            "reshard",
            Bed.VERSION,
            """
              apiServer: {replicas: 2, tuning: {shutdownDelay: 5s}, resources: {requests: {cpu: 25m}}}
              controllerManager: {replicas: 1, resources: {requests: {memory: 128Mi}}}
              scheduler: {replicas: 1, resources: {requests: {memory: 128Mi}}}
              rollout: {minReadySeconds: 5}
              storage:
                stores:
                - {name: default, storage: {type: PersistentVolume, size: 1Gi}, resources: {requests: {cpu: 25m, memory: 256Mi}}}
                - {name: events, criticality: BestEffort, resources: {requests: {cpu: 5m, memory: 128Mi}}}
                - {name: busy, storage: {type: PersistentVolume, size: 1Gi}, resources: {requests: {cpu: 25m, memory: 256Mi}}}
            """);
    scratch.awaitSettled(PATIENCE);
    Bed.exa("host", "add", HOST, scratch.name + "." + scratch.namespace);
    Bed.await("the node is ready", PATIENCE, () -> nodeReadySince().isPresent());
  }

  @AfterAll
  static void gone() {
    Bed.exa("host", "remove", HOST);
    scratch.close();
  }

  @Test
  @Order(1)
  void leasesMoveToAnotherStore() {
    moves("there", "default", "busy");
  }

  /** The address of the Leases is known to the servers by now, so no pod is replaced. */
  @Test
  @Order(2)
  void theWayBackReplacesNoPod() {
    Set<String> before = servers();
    moves("back", "busy", "default");
    assertThat(servers()).isEqualTo(before);
  }

  private static void moves(String task, String from, String to) {
    Optional<String> ready = nodeReadySince();
    try (LeaseClient leases = new LeaseClient(scratch.name, scratch.namespace, task);
        BusyClient others = new BusyClient(scratch.name, scratch.namespace)) {
      TaskMove move =
          ReshardTask.create(task, scratch.name, scratch.namespace, to).awaitSuccess(PATIENCE);
      assertThat(move.fromStore()).isEqualTo(from);
      assertThat(move.keys()).isPositive();
      assertThat(move.pauseMilliseconds()).as("measured").isBetween(1L, MOST_PAUSE_MS);
      StorageSpec storage = Bed.controlPlane(scratch.name, scratch.namespace).getSpec().storage();
      assertThat(StorageSpec.storeOf(storage.routes(), ReshardTask.LEASES)).isEqualTo(to);
      assertThat(storage.movedBy()).contains(task);
      scratch.awaitSettled(PATIENCE);
      Requests.Report report = leases.report(task + ", Leases");
      System.out.printf("%s: %d conflicts%n", task, leases.conflicts());
      assertThat(report.failures()).isEmpty();
      assertThat(report.longestGapMs()).isLessThanOrEqualTo(MOST_GAP_MS);
      assertThat(leases.conflicts()).as("the Lease has another revision once").isBetween(0, 1);
      assertThat(leases.unacknowledged()).isZero();
      assertThat(others.report(task + ", others").failures()).isEmpty();
    }
    assertThat(nodeReadySince()).as("the node was ready all the time").isEqualTo(ready);
  }

  private static Set<String> servers() {
    return Bed.pods(scratch.name, scratch.namespace, "apiserver").stream()
        .map((Pod pod) -> pod.getMetadata().getUid())
        .collect(Collectors.toSet());
  }

  /** When the node became ready last; empty while it is not. */
  private static Optional<String> nodeReadySince() {
    return scratch.client().nodes().withName(HOST).get().getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("Ready"))
        .filter(condition -> condition.getStatus().equals("True"))
        .map(NodeCondition::getLastTransitionTime)
        .findFirst();
  }
}
