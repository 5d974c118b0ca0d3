// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ControlPlaneTaskStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.TaskMove;
import io.exaplane.api.v1alpha1.TaskState;
import io.exaplane.api.v1alpha1.TaskStep;
import io.exaplane.operator.move.MoveState;
import io.exaplane.operator.status.News;
import io.exaplane.operator.task.condition.Progress;
import io.exaplane.operator.task.condition.ReshardProgress;
import io.exaplane.operator.task.condition.ReshardRules;
import io.exaplane.operator.task.observe.EtcdPrefixes;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A task that moves resources, by looks of operators that may die at any call. */
class ReshardStepsTest {
  private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");
  private static final int LOOKS = 3_000;
  private static final String SPEC =
      "reshard: {toStore: leases, resources: [{group: coordination.k8s.io, resource: leases}, {group: '', resource: nodes}]}";
  private static final List<ResourceRef> RESOURCES =
      List.of(new ResourceRef("coordination.k8s.io", "leases"), new ResourceRef("", "nodes"));

  private final ControlPlaneTask task = Tasks.task("t", 0, SPEC);
  private final List<TaskStep> steps = new ArrayList<>();
  private Instant now = NOON;

  private TaskReport report() {
    return new TaskReport(task, Clock.fixed(now, ZoneOffset.UTC));
  }

  private void begin(ReshardWorld world) {
    task.setStatus(
        report().with(ReshardRules.moves(task, world.controlPlane)).started(world.controlPlane));
  }

  /** A look of an operator, and what it writes. */
  private void look(ReshardWorld world, ReshardSteps machine, boolean held) {
    now = now.plusSeconds(1);
    Advance advance = machine.advance(task, world.look(), held, now, null);
    world.danger();
    if (world.isRefused()) {
      return;
    }
    task.setStatus(report().with(advance.moves()).of(advance.progress()));
    if (steps.isEmpty() || steps.getLast() != task.getStatus().step()) {
      steps.add(task.getStatus().step());
    }
    world.danger();
  }

  private ReshardSteps machine(ReshardWorld world) {
    return new ReshardSteps(world, world, world);
  }

  @Test
  void withoutTroubleEveryStepFollowsTheOneBefore() {
    ReshardWorld world = new ReshardWorld(new Random(1), 0, false);
    begin(world);
    List<News> told = new ArrayList<>();
    for (int i = 0; i < LOOKS && !task.getStatus().state().isFinished(); i++) {
      ControlPlaneTaskStatus before = task.getStatus();
      look(world, machine(world), false);
      ControlPlaneTask was = Tasks.task("t", 0, SPEC);
      was.setStatus(before);
      ReshardProgress.news(was, task.getStatus()).ifPresent(told::add);
      assertThat(task.getStatus().progressPercent())
          .isGreaterThanOrEqualTo(before.progressPercent());
      world.pass(task);
      world.tick();
    }
    assertThat(task.getStatus().state()).isEqualTo(TaskState.Succeeded);
    assertThat(task.getStatus().progressPercent()).isEqualTo(100);
    assertThat(steps)
        .containsExactly(
            TaskStep.PrepareRoute,
            TaskStep.ReplacePods,
            TaskStep.CopyKeys,
            TaskStep.SwitchRoute,
            TaskStep.CopyKeys,
            TaskStep.SwitchRoute);
    assertThat(RESOURCES).allMatch(world::hasMoved);
    assertThat(world.controlPlane.getSpec().storage().movedBy()).isEqualTo("t uid-t /nodes");
    assertThat(task.getStatus().moves())
        .containsExactly(
            new TaskMove(RESOURCES.get(0), "default", 10L, 300L, null),
            new TaskMove(RESOURCES.get(1), "default", 10L, 300L, null));
    assertThat(told).extracting(News::reason).containsOnly(Reason.TaskAdvanced);
    assertThat(told)
        .extracting(News::message)
        .hasSize(steps.size())
        .anyMatch(
            words -> words.startsWith("Step SwitchRoute. 1 of 2, coordination.k8s.io/leases"));
  }

  /** What a held control plane carries out is nothing; a switch that has begun ends. */
  @Test
  void aPauseHoldsTheTaskBeforeTheSwitchOnly() {
    ReshardWorld world = new ReshardWorld(new Random(2), 0, false);
    begin(world);
    for (int i = 0; i < 20; i++) {
      look(world, machine(world), true);
      world.tick();
    }
    assertThat(world.selected).isEmpty();
    for (int i = 0; i < LOOKS && task.getStatus().step() != TaskStep.CopyKeys; i++) {
      look(world, machine(world), false);
      world.pass(task);
    }
    for (int i = 0; i < 20; i++) {
      look(world, machine(world), false);
      world.tick();
      if (task.getStatus().step() == TaskStep.SwitchRoute) {
        break;
      }
    }
    assertThat(task.getStatus().step()).isEqualTo(TaskStep.SwitchRoute);
    for (int i = 0; i < 20; i++) {
      look(world, machine(world), true);
      world.tick();
    }
    assertThat(world.hasMoved(RESOURCES.get(0))).isTrue();
    assertThat(task.getStatus().step()).isEqualTo(TaskStep.CopyKeys);
    assertThat(world.selected).containsEntry(RESOURCES.get(1), "default");
  }

  private void carryOn(ReshardWorld world, int looks) {
    for (int i = 0; i < looks && !task.getStatus().state().isFinished(); i++) {
      look(world, machine(world), false);
      world.pass(task);
      world.tick();
    }
  }

  private void carryOnUntil(ReshardWorld world, TaskStep step) {
    for (int i = 0; i < LOOKS && task.getStatus().step() != step; i++) {
      carryOn(world, 1);
    }
    assertThat(task.getStatus().step()).isEqualTo(step);
  }

  /** The Service does not wait for a store that may never come back. */
  @Test
  void whileTheSecondStoreIsDownTheServiceLeadsToTheFirst() {
    ReshardWorld world = new ReshardWorld(new Random(3), 0, false);
    begin(world);
    carryOnUntil(world, TaskStep.SwitchRoute);
    // The switch has begun at the Service only, and then the copy fails.
    look(world, machine(world), false);
    assertThat(world.selected).containsEntry(RESOURCES.get(0), "leases");
    world.secondIsDown = true;
    world.fails = EtcdPrefixes.of(RESOURCES.get(0));
    world.tick();
    look(world, machine(world), false);
    assertThat(task.getStatus().moves().getFirst().failure()).contains("The words of Failed.");
    assertThat(world.selected)
        .as("the cause is told before anything is taken back")
        .containsEntry(RESOURCES.get(0), "leases");
    carryOn(world, 30);
    assertThat(world.selected).containsEntry(RESOURCES.get(0), "default");
    assertThat(task.getStatus().state()).isEqualTo(TaskState.Running);
    assertThat(task.getStatus().message())
        .contains(
            "Store leases must answer first",
            "kubectl describe shard demo-leases",
            "spec.storage.onDataLoss of the ControlPlane to StartEmpty");
    assertThat(complete()).contains("bring the store back");
    world.secondIsDown = false;
    carryOn(world, 30);
    assertThat(task.getStatus().state()).isEqualTo(TaskState.Failed);
    assertThat(RESOURCES).noneMatch(world::hasMoved);
  }

  private String complete() {
    return task.getStatus().conditions().stream()
        .filter(condition -> condition.type().equals("Complete"))
        .findFirst()
        .orElseThrow()
        .message();
  }

  /** Else the objects would be in a store to which no spec leads. */
  @Test
  void routesThatTheApiServerRefusesAreSeenBeforeTheSwitch() {
    ReshardWorld world = new ReshardWorld(new Random(4), 0, false);
    world.refusal = Optional.of("spec.storage.routes: Too many: 21");
    begin(world);
    carryOn(world, LOOKS);
    assertThat(task.getStatus().state()).isEqualTo(TaskState.Failed);
    assertThat(task.getStatus().message())
        .contains("spec.storage.routes: Too many: 21.", "create another task");
    assertThat(steps).doesNotContain(TaskStep.SwitchRoute);
    assertThat(RESOURCES).noneMatch(world::hasMoved);
  }

  /** The mark of a task that ended counts no more, so it ends after the stores have its routes. */
  @Test
  void aTaskThatFailsHalfwayEndsAfterAPassTookTheFirstMoveOver() {
    ReshardWorld world = new ReshardWorld(new Random(5), 0, false);
    world.fails = EtcdPrefixes.of(RESOURCES.get(1));
    begin(world);
    carryOnUntil(world, TaskStep.SwitchRoute);
    world.passesStandStill = true;
    carryOn(world, 50);
    assertThat(world.hasMoved(RESOURCES.get(0))).isTrue();
    assertThat(task.getStatus().state()).isEqualTo(TaskState.Running);
    assertThat(task.getStatus().message())
        .contains("did not move, and store default serves as before", "Progressing");
    world.passesStandStill = false;
    carryOn(world, 5);
    assertThat(task.getStatus().state()).isEqualTo(TaskState.Failed);
    assertThat(world.works()).isFalse();
  }

  /** One that does not follow the Service would ask the first store for ever. */
  @Test
  void theSwitchWaitsUntilEachServerFollowsTheService() {
    ReshardWorld world = new ReshardWorld(new Random(6), 0, false);
    begin(world);
    carryOnUntil(world, TaskStep.CopyKeys);
    world.rollsOut = true;
    carryOn(world, 30);
    assertThat(task.getStatus().step()).isEqualTo(TaskStep.CopyKeys);
    assertThat(task.getStatus().message())
        .contains("waits until all kube-apiservers use the Services", "status.rollout");
    world.rollsOut = false;
    carryOn(world, LOOKS);
    assertThat(task.getStatus().state()).isEqualTo(TaskState.Succeeded);
  }

  /** No pass comes any more, and nothing is left half way. */
  @Test
  void aDeletedControlPlaneIsLeftWithOneStoreThatServes() {
    Map<Long, Integer> ends = new TreeMap<>();
    for (int seed = 0; seed < 60; seed++) {
      task.setStatus(null);
      ReshardWorld world = new ReshardWorld(new Random(seed), 0, false);
      begin(world);
      carryOn(world, seed);
      if (task.getStatus().state().isFinished()) {
        continue;
      }
      world.passesStandStill = true;
      world.controlPlane.getMetadata().setDeletionTimestamp("2026-11-27T12:00:00Z");
      boolean gone = false;
      for (int i = 0; i < 50 && !gone; i++) {
        gone = machine(world).withdraw(task, world.look(), null);
        world.tick();
      }
      assertThat(gone).as("seed %d", seed).isTrue();
      assertThat(world.keepsRoutes()).as("whoever takes the data over finds them").isTrue();
      assertThat(world.works()).isFalse();
      ends.merge(RESOURCES.stream().filter(world::hasMoved).count(), 1, Integer::sum);
    }
    assertThat(ends).containsKeys(0L, 1L);
  }

  /** A Kind's numbers move; the condition does not, and says whether somebody has to act. */
  @Test
  void numbersThatMoveAreInTheMessageOnly() {
    ReshardWorld world = new ReshardWorld(new Random(7), 0, false);
    begin(world);
    carryOnUntil(world, TaskStep.CopyKeys);
    carryOn(world, 2);
    String kind = "1 of 2, coordination.k8s.io/leases from store default to leases";
    assertThat(task.getStatus().message()).startsWith(kind + ": about 5 of 10 keys copied");
    assertThat(complete()).isEqualTo(kind + ". No action is needed.");
    assertThat(ReshardProgress.rounded(1_234_567)).isEqualTo(1_200_000);
    assertThat(ReshardProgress.rounded(99)).isEqualTo(99);
    Progress refused = ReshardProgress.refused(task, List.of("The API server refuses to patch."));
    assertThat(refused.held()).isTrue();
    assertThat(refused.message()).contains("The API server refuses to patch.", "remove the cause");
  }

  /** It saw neither the beginning of the switch nor the copy. */
  @Test
  void aSwitchThatAnotherOperatorBeganIsToldWithoutNumbers() {
    ReshardWorld world = new ReshardWorld(new Random(8), 0, false);
    begin(world);
    MoveState state = new MoveState(MoveState.Phase.Switched, 0, 0, 0, null, "0 ms.", false);
    assertThat(ReshardProgress.isPauseKnown(state)).isFalse();
    assertThat(ReshardProgress.moved(task, 0, state).message())
        .isEqualTo(
            "Store leases has coordination.k8s.io/leases. Another operator began the switch, so the time for which writes waited is unknown.");
  }

  /** The words of a failure are told until everything is taken back, and then with the end. */
  @Test
  void aCopyThatFailsIsTakenBackAndNamesTheCause() {
    Map<TaskState, Integer> ends = new EnumMap<>(TaskState.class);
    for (int seed = 0; seed < 30; seed++) {
      task.setStatus(null);
      ReshardWorld world = new ReshardWorld(new Random(seed), 0, true);
      begin(world);
      for (int i = 0; i < LOOKS && !task.getStatus().state().isFinished(); i++) {
        look(world, machine(world), false);
        world.pass(task);
        world.tick();
      }
      ends.merge(task.getStatus().state(), 1, Integer::sum);
      if (task.getStatus().state() == TaskState.Failed) {
        assertThat(task.getStatus().message())
            .contains(
                "did not move, and store default serves as before: The words of Failed.",
                "create another task");
        assertThat(task.getStatus().moves()).anyMatch(move -> move.failure() != null);
        assertThat(RESOURCES).anyMatch(resource -> !world.hasMoved(resource));
      }
    }
    assertThat(ends).containsKeys(TaskState.Failed, TaskState.Succeeded);
  }

  /**
   * Operators die at any call, copies fail, and some tasks are deleted on the way: at the end each
   * resource has moved, and all agree on that, or nothing has.
   */
  @Test
  void whoeverDiesWhereverOneStoreServesAtTheEnd() {
    Map<String, Integer> ends = new TreeMap<>();
    Map<TaskStep, Integer> killed = new EnumMap<>(TaskStep.class);
    for (int seed = 0; seed < 600; seed++) {
      Random random = new Random(seed);
      task.setStatus(null);
      now = NOON;
      ReshardWorld world = new ReshardWorld(random, random.nextInt(8), random.nextInt(3) == 0);
      begin(world);
      int deletedAt = random.nextInt(4) == 0 ? random.nextInt(60) : Integer.MAX_VALUE;
      boolean gone = false;
      for (int i = 0; i < LOOKS && !gone && !task.getStatus().state().isFinished(); i++) {
        try {
          if (i >= deletedAt) {
            gone = machine(world).withdraw(task, world.look(), null);
          } else {
            look(world, machine(world), false);
          }
          if (random.nextInt(3) > 0) {
            world.pass(task);
          }
        } catch (ReshardWorld.KilledException e) {
          killed.merge(step(), 1, Integer::sum);
        }
        if (random.nextInt(3) > 0) {
          world.tick();
        }
      }
      long moved = RESOURCES.stream().filter(world::hasMoved).count();
      TaskState state = task.getStatus().state();
      assertThat(gone || state.isFinished()).as("seed %d ends", seed).isTrue();
      assertThat(state == TaskState.Succeeded).as("seed %d", seed).isEqualTo(!gone && moved == 2);
      ends.merge((gone ? "deleted" : state.name()) + " " + moved, 1, Integer::sum);
    }
    assertThat(ends)
        .containsKeys("Succeeded 2", "Failed 0", "Failed 1", "deleted 0", "deleted 1", "deleted 2");
    assertThat(killed)
        .containsKeys(
            TaskStep.PrepareRoute, TaskStep.ReplacePods, TaskStep.CopyKeys, TaskStep.SwitchRoute);
  }

  private TaskStep step() {
    return Optional.ofNullable(task.getStatus().step()).orElse(TaskStep.PrepareRoute);
  }
}
