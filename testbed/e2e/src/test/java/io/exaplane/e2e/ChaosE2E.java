// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.e2e.chaos.Comparison;
import io.exaplane.e2e.chaos.Plan;
import io.exaplane.e2e.chaos.Step;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random steps, one after the other, beside a client that checks what it knows. After each step,
 * the conditions are compared with what was done. {@code -Dexa.seed} repeats the order of a run.
 */
@Order(47)
class ChaosE2E {
  private static final Duration UP = Duration.ofMinutes(6);
  private static final int FEW = 12;
  private static final int MANY = 120;
  private static final String HOST = "wchaos";

  /** That Leases move to. */
  static final String OTHER_STORE = "busy";

  private static final String SPEC =
      """
        apiServer: {replicas: 2, tuning: {shutdownDelay: 2s}, resources: {requests: {cpu: 20m, memory: 512Mi}}}
        controllerManager: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
        scheduler: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
        rollout: {minReadySeconds: 1}
        restart: {budget: {maxRestarts: 100}, releasePerMinute: 600}
        storage:
          stores:
          - {name: default, memory: {quota: 64Mi}, storage: {type: PersistentVolume, size: 1Gi}, resources: {requests: {cpu: 15m, memory: 512Mi}}}
          - {name: events, criticality: BestEffort, resources: {requests: {cpu: 5m, memory: 128Mi}}}
      """;

  /** One more store. */
  private static final String ANOTHER =
      "    - {name: %s, memory: {quota: 64Mi}, storage: {type: PersistentVolume, size: 1Gi}, resources: {requests: {cpu: 15m, memory: 512Mi}}}%n"
          .formatted(OTHER_STORE);

  /** Beside other tests, in an order that the launcher's seed decides: see steps.yaml. */
  @Test
  @Tag("chaos")
  void fewStepsLeaveNothingLost() {
    run(FEW, false);
  }

  /** With an upgrade, rotations, a move of Leases and a node that is cut off. */
  @Test
  @Tag("long")
  @Timeout(value = 240, unit = TimeUnit.MINUTES)
  void manyStepsLeaveNothingLost() {
    run(Integer.getInteger("exa.chaos.steps", MANY), true);
  }

  private static void run(int steps, boolean alone) {
    long seed = Long.getLong("exa.seed", System.nanoTime());
    Random random = new Random(seed);
    List<Step> plan = Plan.of(random, steps, alone);
    System.out.printf("chaos: seed %d (replay with -Dexa.seed=%d): %s%n", seed, seed, plan);
    try (Scratch scratch =
        new Scratch(
            alone ? "chaos-long" : "chaos",
            alone ? Bed.PREVIOUS_VERSION : Bed.VERSION,
            alone ? SPEC + ANOTHER : SPEC)) {
      scratch.awaitSettled(UP);
      if (alone) {
        Bed.exa("host", "add", HOST, scratch.name + "." + scratch.namespace);
      }
      try (SmallDisk disk = SmallDisk.under(scratch.name + "-default", scratch.namespace)) {
        scratch.awaitSettled(UP);
        ChaosHands hands = new ChaosHands(scratch, random, disk, alone ? HOST : null);
        assertThat(problems(scratch, hands, plan, alone)).as("seed %d", seed).isEmpty();
      } finally {
        if (alone) {
          Bed.exa("host", "remove", HOST);
        }
      }
    }
  }

  private static List<String> problems(
      Scratch scratch, ChaosHands hands, List<Step> plan, boolean hasHost) {
    List<String> problems = new ArrayList<>();
    try (ChaosWorkload workload = new ChaosWorkload(scratch.name, scratch.namespace);
        ConditionHistory history = new ConditionHistory(scratch.name, scratch.namespace)) {
      for (Step step : plan) {
        List<String> found = carryOut(scratch, hands, history, step);
        leadersAndNodesRenew(scratch, hasHost);
        found.addAll(workload.problems());
        found.forEach(System.out::println);
        problems.addAll(found);
      }
      problems.addAll(workload.end());
    }
    return problems;
  }

  /** One step; returns what the conditions did not tell, or should not have told. */
  private static List<String> carryOut(
      Scratch scratch, ChaosHands hands, ConditionHistory history, Step step) {
    awaitSettled(scratch, history);
    Instant began = Instant.now();
    System.out.printf("chaos: %s %s%n", began, step);
    Runnable then = hands.act(step);
    Instant latest =
        step.must().stream()
            .map(turn -> began.plus(turn.within()))
            .max(Instant::compareTo)
            .orElse(began);
    // What is not told in time is told of below.
    Bed.await(
        "the conditions tell of " + step,
        Duration.between(Instant.now(), latest).plusMinutes(1),
        () ->
            Comparison.missing(step, began, history.all()).isEmpty()
                || Instant.now().isAfter(latest));
    then.run();
    awaitSettled(scratch, history);
    System.out.printf(
        "chaos: %s took %d s%n", step, Duration.between(began, Instant.now()).toSeconds());
    return new ArrayList<>(Comparison.problems(step, began, history.all()));
  }

  private static void awaitSettled(Scratch scratch, ConditionHistory history) {
    scratch.awaitSettled(UP);
    Bed.await(
        "the watch has seen the control plane as it is",
        UP,
        () -> history.has(Bed.controlPlane(scratch.name, scratch.namespace)));
  }

  private static void leadersAndNodesRenew(Scratch scratch, boolean hasHost) {
    Instant now = Instant.now();
    List<String> late = new ArrayList<>();
    Bed.await(
        "leaders and nodes renew their Leases",
        UP,
        () -> {
          late.clear();
          for (String leader : List.of("kube-controller-manager", "kube-scheduler")) {
            if (!renews(scratch, "kube-system", leader, now)) {
              late.add(leader);
            }
          }
          if (hasHost && !renews(scratch, "kube-node-lease", HOST, now)) {
            late.add(HOST);
          }
          return late.isEmpty();
        },
        late::toString);
  }

  private static boolean renews(Scratch scratch, String namespace, String name, Instant since) {
    return Hosted.holds(
        () -> {
          Lease lease = scratch.client().leases().inNamespace(namespace).withName(name).get();
          return lease != null && lease.getSpec().getRenewTime().toInstant().isAfter(since);
        });
  }
}
