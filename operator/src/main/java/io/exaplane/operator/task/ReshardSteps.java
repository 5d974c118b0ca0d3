// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.TaskMove;
import io.exaplane.api.v1alpha1.TaskStep;
import io.exaplane.operator.move.MoveEnds;
import io.exaplane.operator.move.MoveKey;
import io.exaplane.operator.move.MoveState;
import io.exaplane.operator.move.MoveState.Phase;
import io.exaplane.operator.move.Movers;
import io.exaplane.operator.move.RouteState;
import io.exaplane.operator.move.Routes;
import io.exaplane.operator.order.TaskOrders;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Carries out a task that moves resources, one look after the other. Each look acts by what the
 * statuses, the spec and the stores say, so another operator may make the next one. The first
 * resource that the spec does not lead to its new store is the one that moves.
 *
 * <p>Before the first store has left, everything can be taken back; afterwards every look does the
 * same until the spec has the route. Refused writes are thrown, and the next look repeats them.
 * Thread-safe: keeps nothing.
 */
@ApplicationScoped
class ReshardSteps {
  /** Keys that the first store keeps take room, and nothing else. */
  private static final Duration CLEARING = Duration.ofMinutes(10);

  /** Changes that the switch brings over while writes wait. */
  private static final long SMALL_LAG = 10_000;

  private final Routes routes;
  private final Movers movers;
  private final RouteWriter writer;

  ReshardSteps(Routes routes, Movers movers, RouteWriter writer) {
    this.routes = routes;
    this.movers = movers;
    this.writer = writer;
  }

  /** Why a task has to wait: a store can't take part now. Asks the stores. */
  Optional<String> holdUp(ControlPlaneTask task, ControlPlane controlPlane) {
    return ReshardRules.moves(task, controlPlane).stream()
        .map(TaskMove::fromStore)
        .distinct()
        .flatMap(
            from ->
                movers
                    .obstacle(new MoveEnds(controlPlane, from, task.getSpec().reshard().toStore()))
                    .stream())
        .findFirst();
  }

  /**
   * Does what is next.
   *
   * @param held whether the control plane carries nothing out: then nothing new begins
   */
  Advance advance(ControlPlaneTask task, Look look, boolean held, Instant now, Context<?> context) {
    List<TaskMove> moves = task.getStatus().moves();
    TaskStep step = step(task);
    if (step == TaskStep.PrepareRoute) {
      return new Advance(prepare(moves, look.controlPlane(), held, context), moves);
    }
    if (step == TaskStep.ReplacePods) {
      return new Advance(ReshardProgress.rolling(task, look), moves);
    }
    Optional<Move> next = next(task, look.controlPlane());
    return next.isEmpty()
        ? new Advance(finish(task, look, now), moves)
        : advance(next.get(), held, now, context);
  }

  private static TaskStep step(ControlPlaneTask task) {
    return task.getStatus().step() == null ? TaskStep.PrepareRoute : task.getStatus().step();
  }

  private Progress prepare(
      List<TaskMove> moves, ControlPlane controlPlane, boolean held, Context<?> context) {
    if (held) {
      return Progress.running(
          TaskStep.PrepareRoute, 0, "The Services of the resources are not prepared yet.");
    }
    // All of them, so that one rollout is enough.
    List<RouteState> states =
        moves.stream()
            .map(move -> routes.prepare(controlPlane, move.resource(), move.fromStore(), context))
            .toList();
    return states.stream()
        .filter(state -> !state.ready())
        .findFirst()
        .map(state -> ReshardProgress.preparing(state.waitsFor()))
        .orElseGet(
            () ->
                Progress.running(
                    TaskStep.ReplacePods,
                    0,
                    "Every resource has its Service; kube-apiservers are led to it."));
  }

  /** The move that is under way. */
  private record Move(ControlPlaneTask task, int index, TaskMove told, MoveKey key, MoveEnds ends) {
    ResourceRef resource() {
      return told.resource();
    }

    ControlPlane controlPlane() {
      return ends.controlPlane();
    }

    /** The status of the task's moves with another one in place of this. */
    List<TaskMove> with(TaskMove other) {
      List<TaskMove> all = new ArrayList<>(task.getStatus().moves());
      all.set(index, other);
      return List.copyOf(all);
    }
  }

  private static Optional<Move> next(ControlPlaneTask task, ControlPlane controlPlane) {
    List<TaskMove> moves = task.getStatus().moves();
    for (int i = 0; i < moves.size(); i++) {
      if (!TaskOrders.isDone(moves.get(i), task, controlPlane)) {
        return Optional.of(move(task, controlPlane, i));
      }
    }
    return Optional.empty();
  }

  private static Move move(ControlPlaneTask task, ControlPlane controlPlane, int index) {
    TaskMove told = task.getStatus().moves().get(index);
    return new Move(
        task,
        index,
        told,
        new MoveKey(task.getMetadata().getUid(), EtcdPrefixes.of(told.resource())),
        new MoveEnds(controlPlane, told.fromStore(), task.getSpec().reshard().toStore()));
  }

  private Advance advance(Move move, boolean held, Instant now, Context<?> context) {
    MoveState state = movers.look(move.key());
    boolean switches = step(move.task()) == TaskStep.SwitchRoute;
    if (state.phase() == Phase.Switched) {
      return switched(move, state, context);
    }
    if (move.told().failure() != null
        || state.phase() == Phase.Failed
        || state.phase() == Phase.Abandoned) {
      return takeBack(move, state, context);
    }
    TaskStep next =
        switch (state.phase()) {
          case None -> {
            if (!held || switches) {
              movers.start(move.key(), move.ends());
            }
            yield step(move.task());
          }
          case Copying -> {
            if (switches) {
              // An operator ended on the way: until all is copied again, the first store serves.
              routes.select(move.controlPlane(), move.resource(), move.told().fromStore(), context);
            }
            yield TaskStep.CopyKeys;
          }
          case Following -> following(move, state, held, switches, context);
          case Switching -> {
            routes.select(move.controlPlane(), move.resource(), move.ends().toStore(), context);
            yield TaskStep.SwitchRoute;
          }
          default -> throw new IllegalStateException("no step follows " + state.phase());
        };
    return new Advance(
        ReshardProgress.moving(next, move.task(), move.index(), state, now),
        move.task().getStatus().moves());
  }

  /** The step is in the status before anything is switched. */
  private TaskStep following(
      Move move, MoveState state, boolean held, boolean switches, Context<?> context) {
    if (switches) {
      routes.select(move.controlPlane(), move.resource(), move.ends().toStore(), context);
      movers.switchOver(move.key());
      return TaskStep.SwitchRoute;
    }
    return held || state.lagRevisions() > SMALL_LAG ? TaskStep.CopyKeys : TaskStep.SwitchRoute;
  }

  private Advance switched(Move move, MoveState state, Context<?> context) {
    lead(move, context);
    boolean known = !state.pause().isZero();
    return new Advance(
        ReshardProgress.moved(move.task(), move.index(), state),
        move.with(
            known
                ? move.told().moved(state.keys(), state.pause().toMillis())
                : move.told().moved(null, null)));
  }

  /** Leads everybody to the store that serves. */
  private void lead(Move move, Context<?> context) {
    routes.select(move.controlPlane(), move.resource(), move.ends().toStore(), context);
    writer.write(
        move.controlPlane(),
        StoragePlan.of(move.controlPlane())
            .moved(
                move.resource(),
                move.ends().toStore(),
                TaskOrders.mark(move.task(), move.resource())));
  }

  private Advance takeBack(Move move, MoveState state, Context<?> context) {
    TaskMove failed =
        move.told().failure() == null ? move.told().failed(state.words()) : move.told();
    boolean back = isTakenBack(move, state, context);
    return new Advance(
        back
            ? ReshardProgress.failed(move.task(), move.controlPlane(), failed)
            : ReshardProgress.takingBack(move.task(), failed),
        move.with(failed));
  }

  private boolean isTakenBack(Move move, MoveState state, Context<?> context) {
    if (state.phase() != Phase.Abandoned) {
      movers.abandon(move.key(), move.ends());
      return false;
    }
    routes.select(move.controlPlane(), move.resource(), move.told().fromStore(), context);
    movers.forget(move.key());
    return true;
  }

  private Progress finish(ControlPlaneTask task, Look look, Instant now) {
    if (!isTakenOver(task, look)) {
      return ReshardProgress.ending("The passes of the control plane take the routes over.");
    }
    List<TaskMove> moves = task.getStatus().moves();
    boolean clear = true;
    for (int i = 0; i < moves.size(); i++) {
      Move move = move(task, look.controlPlane(), i);
      clear &= movers.clear(move.key(), move.ends());
    }
    boolean late = !now.isBefore(Instant.parse(task.getStatus().stepStartedAt()).plus(CLEARING));
    if (!clear && !late) {
      return ReshardProgress.ending("The keys are deleted from the stores that had them before.");
    }
    for (int i = 0; i < moves.size(); i++) {
      movers.forget(move(task, look.controlPlane(), i).key());
    }
    return Progress.succeeded(
        TaskStep.SwitchRoute,
        "Store %s has all resources of the task.%s"
            .formatted(
                task.getSpec().reshard().toStore(),
                clear
                    ? ""
                    : " A store that had them before did not delete its keys, which take room there; they are not served."));
  }

  private static boolean isTakenOver(ControlPlaneTask task, Look look) {
    for (StoreShard shard : look.shards().values()) {
      for (TaskMove move : task.getStatus().moves()) {
        boolean moved = TaskOrders.isDone(move, task, look.controlPlane());
        if (moved
            && !StoragePlan.isTakenOver(
                shard, move.resource(), task.getSpec().reshard().toStore())) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Ends a task that is deleted: a switch that can't be taken back is finished.
   *
   * @return whether nothing is left to be done
   */
  boolean withdraw(ControlPlaneTask task, Look look, Context<?> context) {
    TaskStep step = step(task);
    if (step == TaskStep.PrepareRoute || step == TaskStep.ReplacePods) {
      return true;
    }
    Optional<Move> next = next(task, look.controlPlane());
    if (next.isEmpty()) {
      return isTakenOver(task, look);
    }
    MoveState state = movers.look(next.get().key());
    if (state.phase() == Phase.Switched) {
      lead(next.get(), context);
      return false;
    }
    return isTakenBack(next.get(), state, context) && isTakenOver(task, look);
  }
}
