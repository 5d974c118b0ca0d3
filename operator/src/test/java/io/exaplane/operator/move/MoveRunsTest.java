// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.move.FaultyStore.Fate;
import io.exaplane.operator.move.MoveState.Phase;
import io.exaplane.operator.move.StoreMoves.Role;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What passes ask of the moves of this process; each may be asked at any time. */
class MoveRunsTest {
  private static final MoveKey KEY = new MoveKey("task-1", "/registry/leases/");
  private static final MoveTiming FAST =
      new MoveTiming(
          Duration.ofMillis(1),
          Duration.ofMillis(1),
          Duration.ofMillis(2),
          Duration.ofSeconds(20),
          Duration.ofSeconds(20),
          3);

  private final MoveEnds ends =
      new MoveEnds(Fixtures.controlPlane("{version: 1.36.3, maxNodes: 100}"), "default", "leases");
  private final FakeStore from = new FakeStore(KEY.prefix());
  private final FakeStore to = new FakeStore(KEY.prefix());
  private final Map<String, Fate> fates = new ConcurrentHashMap<>();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final AtomicInteger arrivals = new AtomicInteger();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final MoveRuns runs =
      new MoveRuns(
          FAST,
          (_, store) ->
              new FaultyStore(
                  store.equals("default") ? from : to,
                  this,
                  call -> {
                    asked.add(store + "." + call);
                    if (call.equals("arrive")) {
                      arrivals.incrementAndGet();
                    }
                    return fates.getOrDefault(store + "." + call, Fate.ANSWERED);
                  }),
          (_, uid) -> uid.equals("task-0"),
          () -> closed.complete(null));

  @AfterEach
  void everyRunEnds() {
    fates.clear();
    runs.stop();
    assertThat(closed).isDone();
  }

  private static void until(BooleanSupplier holds) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as("30 s are over").isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void until(Phase phase) {
    until(() -> runs.look(KEY).phase() == phase);
  }

  private void someKeys() {
    synchronized (this) {
      for (int i = 0; i < 8; i++) {
        from.put(KEY.prefix() + i, "v" + i);
      }
    }
  }

  @Test
  void aMoveFollowsUntilItIsSwitchedAndThenItsKeysAreCleared() {
    someKeys();
    assertThat(runs.look(KEY)).isEqualTo(MoveState.NONE);
    assertThat(runs.obstacle(ends)).isEmpty();
    runs.switchOver(KEY);
    for (int look = 0; look < 3; look++) {
      runs.start(KEY, ends);
    }
    until(Phase.Following);
    assertThat(arrivals).hasValue(1);
    assertThat(runs.look(KEY).keys()).isEqualTo(8);
    runs.switchOver(KEY);
    until(Phase.Switched);
    assertThat(to.data).hasSize(8);
    runs.start(KEY, ends);
    runs.abandon(KEY, ends);
    assertThat(runs.look(KEY).phase()).isEqualTo(Phase.Switched);
    until(() -> runs.clear(KEY, ends));
    assertThat(from.data).isEmpty();
    runs.forget(KEY);
    assertThat(runs.look(KEY)).isEqualTo(MoveState.NONE);
  }

  @Test
  void aMoveThatFollowsIsTakenBack() {
    someKeys();
    runs.start(KEY, ends);
    until(Phase.Following);
    runs.abandon(KEY, ends);
    until(Phase.Abandoned);
    assertThat(to.data).isEmpty();
    assertThat(from.takesWrites()).isTrue();
  }

  /** Also by an operator that did not begin the move. */
  @Test
  void anUnknownMoveIsTakenBackUnlessTheFirstStoreHasLeft() throws Exception {
    someKeys();
    from.freeze(KEY);
    runs.abandon(KEY, ends);
    until(Phase.Abandoned);
    assertThat(from.takesWrites()).isTrue();
    runs.forget(KEY);
    to.arrive(KEY, 1, "");
    from.freeze(KEY);
    from.leave(KEY, from.freeze(KEY));
    runs.abandon(KEY, ends);
    until(Phase.Switched);
    assertThat(to.role()).isEqualTo(Role.Arrived);
    assertThat(to.data).hasSize(8);
  }

  @Test
  void nothingIsClearedBeforeTheSecondStoreHasFinished() throws Exception {
    someKeys();
    to.arrive(KEY, 1, "");
    from.leave(KEY, from.freeze(KEY));
    AtomicInteger looks = new AtomicInteger();
    until(() -> !runs.clear(KEY, ends) && looks.incrementAndGet() > 3 && isAsked("leases.states"));
    assertThat(from.data).hasSize(8);
    runs.abandon(KEY, ends);
    until(Phase.Switched);
    until(() -> runs.clear(KEY, ends));
    assertThat(from.data).isEmpty();
  }

  private boolean isAsked(String call) {
    return asked.contains(call);
  }

  @Test
  void aFailedMoveIsTakenBackByAnotherRun() {
    someKeys();
    fates.put("leases.take", Fate.FULL);
    runs.start(KEY, ends);
    until(Phase.Failed);
    runs.start(KEY, ends);
    assertThat(runs.look(KEY).phase()).isEqualTo(Phase.Failed);
    runs.abandon(KEY, ends);
    until(Phase.Abandoned);
  }

  @Test
  void aStoreThatCannotTakePartIsNamed() {
    fates.put("leases.states", Fate.LOST);
    assertThat(runs.obstacle(ends).orElseThrow())
        .contains("Store leases does not answer 'GET /moves'", "StoreShard");
    fates.put("default.states", Fate.FULL);
    assertThat(runs.obstacle(ends).orElseThrow()).contains("Store default refuses", "no room");
  }
}
