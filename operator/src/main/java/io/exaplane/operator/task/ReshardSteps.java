// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
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
import io.exaplane.operator.task.condition.Progress;
import io.exaplane.operator.task.condition.ReshardProgress;
import io.exaplane.operator.task.condition.ReshardRules;
import io.exaplane.operator.task.observe.EtcdPrefixes;
import io.exaplane.operator.task.observe.Look;
import io.exaplane.operator.task.observe.StoragePlan;
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
        : advance(next.get(), look, held, now, context);
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

  private static MoveKey key(ControlPlaneTask task, TaskMove told) {
    return new MoveKey(task.getMetadata().getUid(), EtcdPrefixes.of(told.resource()));
  }

  private static Move move(ControlPlaneTask task, ControlPlane controlPlane, int index) {
    TaskMove told = task.getStatus().moves().get(index);
    return new Move(
        task,
        index,
        told,
        key(task, told),
        new MoveEnds(controlPlane, told.fromStore(), task.getSpec().reshard().toStore()));
  }

  private Advance advance(Move move, Look look, boolean held, Instant now, Context<?> context) {
    MoveState state = movers.look(move.key());
    boolean switches = step(move.task()) == TaskStep.SwitchRoute;
    if (state.phase() == Phase.Switched) {
      return switched(move, state, context);
    }
    if (move.told().failure() != null
        || state.phase() == Phase.Failed
        || state.phase() == Phase.Abandoned) {
      return takeBack(move, state, look, context);
    }
    if (state.phase() == Phase.Following && !switches && isReady(state, held)) {
      return begin(move, state, look, now);
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
          case Following -> {
            if (!switches) {
              yield TaskStep.CopyKeys;
            }
            routes.select(move.controlPlane(), move.resource(), move.ends().toStore(), context);
            movers.switchOver(move.key());
            yield TaskStep.SwitchRoute;
          }
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

  private static boolean isReady(MoveState state, boolean held) {
    return !held && state.lagRevisions() <= SMALL_LAG;
  }

  /**
   * The step is in the status before anything is switched. It begins only if each kube-apiserver
   * follows the Service, and if the API server would take the routes: both can be seen before.
   */
  private Advance begin(Move move, MoveState state, Look look, Instant now) {
    List<TaskMove> moves = move.task().getStatus().moves();
    if (!ReshardProgress.isRouted(move.task(), look)) {
      MoveState waits =
          new MoveState(
              state.phase(),
              state.keysCopied(),
              state.keys(),
              state.lagRevisions(),
              state.pause(),
              "The switch waits until all kube-apiservers use the Services. See status.rollout of the ControlPlane.",
              state.firstStoreServes());
      return new Advance(
          ReshardProgress.moving(TaskStep.CopyKeys, move.task(), move.index(), waits, now), moves);
    }
    Optional<TaskMove> refused =
        writer
            .objection(move.controlPlane(), storage(move))
            .map("The API server refuses the new spec.storage of the ControlPlane: %s."::formatted)
            .map(move.told()::failed);
    return refused
        .map(
            failed ->
                new Advance(
                    ReshardProgress.takingBack(move.task(), move.controlPlane(), failed, state),
                    move.with(failed)))
        .orElseGet(
            () ->
                new Advance(
                    ReshardProgress.moving(
                        TaskStep.SwitchRoute, move.task(), move.index(), state, now),
                    moves));
  }

  private Advance switched(Move move, MoveState state, Context<?> context) {
    lead(move, context);
    return new Advance(
        ReshardProgress.moved(move.task(), move.index(), state),
        move.with(
            ReshardProgress.isPauseKnown(state)
                ? move.told().moved(state.keys(), state.pause().toMillis())
                : move.told().moved(null, null)));
  }

  /** Leads everybody to the store that serves. */
  private void lead(Move move, Context<?> context) {
    routes.select(move.controlPlane(), move.resource(), move.ends().toStore(), context);
    writer.write(move.controlPlane(), storage(move));
  }

  private static StorageSpec storage(Move move) {
    return StoragePlan.of(move.controlPlane())
        .moved(
            move.resource(), move.ends().toStore(), TaskOrders.mark(move.task(), move.resource()));
  }

  /** The cause is in the status before anything is taken back. */
  private Advance takeBack(Move move, MoveState state, Look look, Context<?> context) {
    if (move.told().failure() == null) {
      TaskMove failed = move.told().failed(state.words());
      return new Advance(
          ReshardProgress.takingBack(move.task(), move.controlPlane(), failed, state),
          move.with(failed));
    }
    List<TaskMove> moves = move.task().getStatus().moves();
    if (!isTakenBack(move, state, context)) {
      return new Advance(
          ReshardProgress.takingBack(move.task(), move.controlPlane(), move.told(), state), moves);
    }
    if (!isTakenOver(move.task(), look)) {
      return new Advance(ReshardProgress.takenBack(move.told()), moves);
    }
    forget(move.task());
    return new Advance(
        ReshardProgress.failed(move.task(), move.controlPlane(), move.told()), moves);
  }

  /**
   * The Service leads to the first store as soon as that serves: the second one may not answer for
   * long.
   */
  private boolean isTakenBack(Move move, MoveState state, Context<?> context) {
    boolean back = state.phase() == Phase.Abandoned;
    if (!back) {
      movers.abandon(move.key(), move.ends());
    }
    if (back || state.firstStoreServes()) {
      routes.select(move.controlPlane(), move.resource(), move.told().fromStore(), context);
    }
    return back;
  }

  private Progress finish(ControlPlaneTask task, Look look, Instant now) {
    if (!isTakenOver(task, look)) {
      return ReshardProgress.ending("The control plane is adopting the routes.");
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
    if (next.isPresent()) {
      MoveState state = movers.look(next.get().key());
      if (state.phase() == Phase.Switched) {
        lead(next.get(), context);
        return false;
      }
      if (!isTakenBack(next.get(), state, context)) {
        return false;
      }
    }
    // No pass takes over what a control plane that is being deleted has.
    if (!isTakenOver(task, look)) {
      if (look.controlPlane().getMetadata().getDeletionTimestamp() != null) {
        writer.keep(look.controlPlane(), look.shards().values());
      }
      return false;
    }
    forget(task);
    return true;
  }

  /** Ends what this operator does for a task. The stores keep what they have. */
  void forget(ControlPlaneTask task) {
    Optional.ofNullable(task.getStatus().moves()).stream()
        .flatMap(List::stream)
        .forEach(move -> movers.forget(key(task, move)));
  }
}
