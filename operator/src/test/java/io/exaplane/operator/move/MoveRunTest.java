// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreDurability;
import io.exaplane.operator.move.FaultyStore.Fate;
import io.exaplane.operator.move.MoveCalls.Side;
import io.exaplane.operator.move.MoveState.Phase;
import io.exaplane.operator.move.StoreMoves.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever fails, one store serves the prefix at a time, and has every write that a client was told
 * of. Clients write between any two requests; nothing depends on time but how long a run waits.
 * Longer than others: each way in which a move can end is a story of the same two stores.
 */
class MoveRunTest {
  private static final MoveKey KEY = new MoveKey("task-1", "/registry/leases/");
  private static final MoveTiming FAST =
      new MoveTiming(
          Duration.ofMillis(1),
          Duration.ofMillis(1),
          Duration.ofMillis(2),
          Duration.ofSeconds(20),
          Duration.ofSeconds(20),
          3);

  private final FakeStore from = new FakeStore(KEY.prefix());
  private final FakeStore to = new FakeStore(KEY.prefix());

  private final Side fromSide =
      new Side("default", new FaultyStore(from, this, call -> happened("from." + call)));
  private final Side toSide =
      new Side("leases", new FaultyStore(to, this, call -> happened("to." + call)));

  /** What clients were told. */
  private final Map<String, String> model = new HashMap<>();

  private final Map<String, Integer> calls = new HashMap<>();
  private FaultyStore.Happening happens;
  private final Set<String> tasks = new HashSet<>(Set.of("task-0", "task-1", "task-2"));
  private int tasksAsked;
  private MoveRun run;
  private int writes;

  @BeforeEach
  void someKeysAreThere() {
    for (int i = 0; i < 10; i++) {
      write("k" + i);
    }
  }

  private boolean exists(String uid) throws IOException {
    if (tasksAsked++ == 0) {
      throw new IOException("the API server is away once");
    }
    return tasks.contains(uid);
  }

  private Fate happened(String call) {
    return happens.before(call);
  }

  /** A client writes to the store that takes the write, if one does. */
  private void write(String key) {
    // Nobody leads clients to a store to which nothing has moved.
    boolean arrived = to.role() == Role.Arrived;
    assertThat(from.takesWrites() && arrived).as("two stores serve").isFalse();
    FakeStore store = arrived ? to : from;
    if (store.takesWrites()) {
      String value = writes % 5 == 4 ? null : "v" + writes;
      writes++;
      long before = store.revision();
      store.put(KEY.prefix() + key, value);
      assertThat(store.revision()).isGreaterThan(before);
      if (value == null) {
        model.remove(KEY.prefix() + key);
      } else {
        model.put(KEY.prefix() + key, value);
      }
    }
  }

  private MoveRun run(MoveTiming timing, FaultyStore.Happening happening) {
    happens =
        call -> {
          calls.merge(call, 1, Integer::sum);
          Fate fate = happening.before(call);
          run.switchOver();
          return fate;
        };
    // A run that was killed leaves it to its thread.
    Thread.interrupted();
    run = new MoveRun(KEY, fromSide, toSide, timing, new Semaphore(1), this::exists);
    return run;
  }

  private MoveState end(MoveTiming timing, FaultyStore.Happening happening) {
    run(timing, happening).run();
    return run.state();
  }

  private MoveState end(FaultyStore.Happening happening) {
    return end(FAST, happening);
  }

  private int times(String call) {
    return calls.getOrDefault(call, 0);
  }

  private void assertSwitched(MoveState state) {
    assertThat(state.phase()).as(state.words()).isEqualTo(Phase.Switched);
    assertThat(to.role()).isEqualTo(Role.Arrived);
    assertThat(from.role()).isEqualTo(Role.Left);
    assertThat(to.data).isEqualTo(model);
    assertThat(to.revision()).isGreaterThan(1_000_000_000L);
    assertThat(to.compacted()).as("revisions that clients know").isGreaterThan(from.revision());
  }

  private void assertTakenBack() {
    assertThat(from.takesWrites()).as("the first store serves").isTrue();
    assertThat(from.data).isEqualTo(model);
    assertThat(to.role()).isNotEqualTo(Role.Arrived);
  }

  @Test
  void allKeysAndAllWritesMeanwhileMove() {
    MoveState state =
        end(
            call -> {
              assertThat(call.equals("from.sum") && from.role() != Role.Frozen)
                  .as("all keys are read before the switch, to count them")
                  .isFalse();
              write("k" + writes % 13);
              return Fate.ANSWERED;
            });
    assertSwitched(state);
    assertThat(state.keysCopied()).isPositive();
    assertThat(state.keys()).isGreaterThanOrEqualTo(state.keysCopied());
    assertThat(state.pause()).isPositive();
    assertThat(state.words()).contains("leases serves", "ms");
    assertThat(times("from.page")).isGreaterThan(2);
  }

  /**
   * The stores fail in every way, at any moment, and operators are killed and follow each other.
   */
  @ParameterizedTest
  @ValueSource(ints = {3, 10, 30})
  void whateverFailsOneStoreHasEveryWrite(int percent) {
    Map<Phase, Integer> ends = new HashMap<>();
    for (int seed = 0; seed < 150; seed++) {
      MoveRunTest one = new MoveRunTest();
      one.someKeysAreThere();
      Phase end = one.endsWell(new Random(seed * 31L + percent), percent, "seed " + seed);
      ends.merge(end, 1, Integer::sum);
    }
    assertThat(ends.get(Phase.Switched)).as("%s", ends).isGreaterThan(30);
    assertThat(ends).containsKey(Phase.Abandoned);
  }

  private Phase endsWell(Random random, int percent, String seed) {
    int budget = 400;
    boolean withdrawn = random.nextInt(4) == 0;
    for (int operator = 0; operator < 100; operator++) {
      int[] left = {budget};
      MoveRun next =
          run(
              FAST,
              call -> {
                if (random.nextInt(3) == 0) {
                  write("k" + random.nextInt(13));
                }
                if (withdrawn && random.nextInt(60) == 0) {
                  run.withdraw();
                }
                if (random.nextInt(200) == 0) {
                  from.compact();
                }
                if (to.role() == Role.Arriving && random.nextInt(300) == 0) {
                  to.startEmpty();
                }
                // Once in a while the network is good, or nothing would ever end.
                boolean fails = left[0]-- > 0 && random.nextInt(100) < percent;
                return fails ? fate(random) : Fate.ANSWERED;
              });
      next.run();
      MoveState state = next.state();
      if (state.phase() == Phase.Switched) {
        assertThat(to.role()).as(seed).isEqualTo(Role.Arrived);
        assertThat(to.data).as(seed).isEqualTo(model);
        return Phase.Switched;
      }
      if (state.phase() == Phase.Abandoned) {
        assertTakenBack();
        assertThat(to.data).as(seed).isEmpty();
        return Phase.Abandoned;
      }
      if (state.phase() == Phase.Failed) {
        assertThat(state.words()).as(seed).isNotBlank();
        assertTakenBack();
        return takenBack(seed);
      }
    }
    throw new AssertionError(seed + ": no end");
  }

  private static Fate fate(Random random) {
    if (random.nextInt(300) == 0) {
      return Fate.FULL;
    }
    List<Fate> passing = List.of(Fate.BUSY, Fate.LOST, Fate.UNANSWERED, Fate.LATE);
    return random.nextInt(15) == 0 ? Fate.KILLED : passing.get(random.nextInt(passing.size()));
  }

  private Phase takenBack(String seed) {
    run(FAST, _ -> Fate.ANSWERED).withdraw();
    run.run();
    assertThat(run.state().phase()).as(seed).isEqualTo(Phase.Abandoned);
    assertTakenBack();
    assertThat(to.data).as(seed).isEmpty();
    return Phase.Abandoned;
  }

  @Test
  void aCompactionBeginsTheCopyAgainAndTheThirdOneEndsTheMove() {
    int[] compactions = {1};
    MoveState state =
        end(
            call -> {
              if (call.equals("from.page") && compactions[0]-- > 0) {
                write("k1");
                from.compact();
              }
              return Fate.ANSWERED;
            });
    assertSwitched(state);
    assertThat(times("to.arrive")).isEqualTo(2);
  }

  @Test
  void aStoreThatCompactsAlwaysEndsTheMove() {
    MoveState state =
        end(
            call -> {
              if (call.equals("from.page")) {
                write("k1");
                from.compact();
              }
              return Fate.ANSWERED;
            });
    assertThat(state.phase()).isEqualTo(Phase.Failed);
    assertThat(state.words()).contains("3 times", "Store default has compacted", "create the task");
    assertThat(times("to.arrive")).isEqualTo(3);
    assertTakenBack();
  }

  @Test
  void theFirstStoreWithOtherDataBeginsTheCopyAgain() {
    boolean[] done = {false};
    MoveState state =
        end(
            call -> {
              if (call.equals("from.changes") && !done[0]) {
                done[0] = true;
                from.startEmpty();
                model.clear();
                write("new");
                return Fate.LOST;
              }
              return Fate.ANSWERED;
            });
    assertSwitched(state);
    assertThat(times("to.arrive")).isEqualTo(2);
  }

  @Test
  void aSecondStoreThatStartsEmptyBeginsTheCopyAgain() {
    boolean[] done = {false};
    MoveState state =
        end(
            call -> {
              if (call.equals("to.take") && times("to.take") == 3 && !done[0]) {
                done[0] = true;
                to.startEmpty();
                return Fate.LOST;
              }
              return Fate.ANSWERED;
            });
    assertSwitched(state);
    assertThat(times("to.arrive")).isEqualTo(2);
  }

  @Test
  void differentSumsLetWritesGoOn() {
    MoveState state =
        end(
            call -> {
              if (call.equals("from.freeze")) {
                to.data.remove(to.data.keySet().iterator().next());
              }
              return Fate.ANSWERED;
            });
    assertThat(state.phase()).isEqualTo(Phase.Failed);
    assertThat(state.words())
        .contains("Store default has 8 keys", "store leases has 7", "writes continue");
    assertThat(times("from.thaw")).isEqualTo(1);
    assertTakenBack();
  }

  @Test
  void aFreezeWithoutAnAnswerIsTakenBack() {
    MoveTiming impatient =
        new MoveTiming(
            FAST.poll(),
            FAST.firstPause(),
            FAST.longestPause(),
            FAST.patience(),
            Duration.ofMillis(50),
            3);
    MoveState state =
        end(impatient, call -> call.equals("from.freeze") ? Fate.UNANSWERED : Fate.ANSWERED);
    assertThat(state.phase()).isEqualTo(Phase.Failed);
    assertThat(state.words()).contains("POST /moves/freeze", "writes continue");
    assertTakenBack();
  }

  /** Late copies of requests to thaw and to freeze come after the sums were compared. */
  @Test
  void aWriteBetweenSumsAndLeaveIsNotLost() {
    boolean[] done = {false};
    MoveState state =
        end(
            call -> {
              if (call.equals("from.leave") && !done[0]) {
                done[0] = true;
                FakeStore.late(
                    () -> {
                      from.thaw(KEY);
                      write("k3");
                      return from.freeze(KEY);
                    });
              }
              return Fate.ANSWERED;
            });
    assertThat(state.phase()).isEqualTo(Phase.Failed);
    assertThat(state.words()).contains("Store default did not leave", "writes continue");
    assertTakenBack();
  }

  @Test
  void aStoreThatNeverSaysThatItLeftHasLeft() {
    MoveState state =
        end(
            call ->
                call.equals("from.leave") && times("from.leave") < 6
                    ? Fate.UNANSWERED
                    : Fate.ANSWERED);
    assertSwitched(state);
  }

  @Test
  void finishIsRepeated() {
    MoveState state =
        end(
            call ->
                call.equals("to.finish") && times("to.finish") < 20 ? Fate.LOST : Fate.ANSWERED);
    assertSwitched(state);
    assertThat(times("to.finish")).isEqualTo(20);
    assertThat(times("from.leave")).isEqualTo(1);
  }

  @Test
  void whatTheSecondStoreLosesAfterTheFirstLeftIsCopiedAgain() {
    boolean[] done = {false};
    MoveState state =
        end(
            call -> {
              if (call.equals("to.finish") && !done[0]) {
                done[0] = true;
                to.startEmpty();
              }
              return Fate.ANSWERED;
            });
    assertSwitched(state);
  }

  /** Another Kind comes to the first store meanwhile, which raises its revision. */
  @ParameterizedTest
  @ValueSource(strings = {"from.leave", "killed"})
  void theSecondStoreGoesOnAboveAllRevisionsOfTheFirst(String when) {
    boolean[] done = {false};
    boolean[] killed = {false};
    FaultyStore.Happening happening =
        call -> {
          if (call.equals(when.equals("killed") ? "to.finish" : when) && !done[0]) {
            done[0] = true;
            killed[0] = when.equals("killed");
            from.raise(5_000_000_000L);
          }
          return killed[0] ? Fate.KILLED : Fate.ANSWERED;
        };
    MoveState state = end(happening);
    if (killed[0]) {
      killed[0] = false;
      state = end(happening);
    }
    assertSwitched(state);
  }

  @Test
  void afterTheLeaveNobodyTakesBack() {
    MoveState state =
        end(
            call -> {
              if (call.equals("to.finish")) {
                run.withdraw();
              }
              return Fate.ANSWERED;
            });
    assertSwitched(state);
  }

  @Test
  void anotherOperatorFinishesWhatLeft() {
    MoveState killed = end(call -> call.equals("to.finish") ? Fate.KILLED : Fate.ANSWERED);
    assertThat(killed.phase()).isEqualTo(Phase.Switching);
    assertThat(from.role()).isEqualTo(Role.Left);
    MoveState state = end(_ -> Fate.ANSWERED);
    assertSwitched(state);
    assertThat(state.pause()).as("nobody measured it").isZero();
    assertThat(state.words()).isEqualTo("Store leases serves.");
    assertThat(times("to.arrive")).isEqualTo(1);
  }

  @Test
  void anotherOperatorThawsWhatFroze() {
    boolean[] killed = {false};
    end(
        call -> {
          killed[0] |= call.equals("from.sum") && from.role() == Role.Frozen;
          return killed[0] ? Fate.KILLED : Fate.ANSWERED;
        });
    assertThat(from.role()).isEqualTo(Role.Frozen);
    assertSwitched(
        end(
            call -> {
              write("k3");
              return Fate.ANSWERED;
            }));
  }

  /** An operator that is told to end, wherever the switch is. */
  @ParameterizedTest
  @ValueSource(strings = {"from.changes", "to.take", "from.sum", "to.sum", "from.leave"})
  void aRunThatEndsWhileWritesWaitThaws(String where) {
    boolean[] frozen = {false};
    MoveState state =
        end(
            call -> {
              if (call.equals("from.freeze") && times(call) == 1) {
                write("k1");
              }
              if (!frozen[0] && from.role() == Role.Frozen && call.equals(where)) {
                frozen[0] = true;
                return Fate.KILLED;
              }
              return Fate.ANSWERED;
            });
    assertThat(frozen[0]).isTrue();
    assertThat(state.phase()).isNotEqualTo(Phase.Switched);
    assertTakenBack();
  }

  @ParameterizedTest
  @ValueSource(strings = {"to.take", "to.sum", "from.leave"})
  void aStoreThatIsGoneWhileWritesWaitThaws(String where) {
    MoveState state =
        end(
            call -> {
              if (call.equals("from.freeze") && times(call) == 1) {
                write("k1");
              }
              if (from.role() == Role.Frozen && call.equals(where)) {
                throw new StoreGoneException("demo-leases");
              }
              return Fate.ANSWERED;
            });
    assertThat(state.phase()).isEqualTo(Phase.Failed);
    assertTakenBack();
  }

  @Test
  void whetherTheFirstStoreServesIsKnown() {
    List<Boolean> abandoning = new ArrayList<>();
    List<Boolean> frozen = new ArrayList<>();
    MoveState failed =
        end(
            call -> {
              if (call.equals("to.sum")) {
                frozen.add(run.state().firstStoreServes());
                to.data.remove(to.data.keySet().iterator().next());
              }
              return Fate.ANSWERED;
            });
    assertThat(frozen).containsExactly(false);
    assertThat(failed.phase()).isEqualTo(Phase.Failed);
    assertThat(failed.firstStoreServes()).isTrue();
    run(
            FAST,
            call -> {
              if (call.equals("to.abandon")) {
                abandoning.add(run.state().firstStoreServes());
              }
              return Fate.ANSWERED;
            })
        .withdraw();
    assertThat(run.state().firstStoreServes()).as("nobody was asked").isFalse();
    run.run();
    assertThat(abandoning).containsExactly(true);
    assertThat(run.state().firstStoreServes()).isTrue();
    to.startEmpty();
    assertThat(end(_ -> Fate.ANSWERED).firstStoreServes()).as("switched").isFalse();
  }

  @Test
  void aStoresWordsAreTold() {
    MoveState state = end(call -> call.equals("to.take") ? Fate.FULL : Fate.ANSWERED);
    assertThat(state.phase()).isEqualTo(Phase.Failed);
    assertThat(state.words())
        .contains("Store leases refuses 'POST /moves/take'", "no room: 3 of 3 MiB", "507");
    assertTakenBack();
  }

  @Test
  void anotherMoveOfThePrefixComesFirst() throws Exception {
    from.freeze(new MoveKey("task-0", KEY.prefix()));
    MoveState state = end(_ -> Fate.ANSWERED);
    assertThat(state.phase()).isEqualTo(Phase.Failed);
    assertThat(state.words()).contains("Store default is Frozen", "task-0");
    assertThat(from.role()).isEqualTo(Role.Frozen);
  }

  @Test
  void aStoreThatCouldLoseTheKeysGetsNone() {
    from.durability = durability("", StoreDurability.Fsync);
    to.durability = durability(KEY.prefix() + "some/", StoreDurability.Memory);
    MoveState state = end(_ -> Fate.ANSWERED);
    assertThat(state.phase()).isEqualTo(Phase.Failed);
    assertThat(state.words())
        .contains(
            "Store default keeps /registry/leases/some/ with durability Fsync",
            "store leases with Memory",
            "memory.prefixes of store leases");
    assertThat(times("to.arrive")).isZero();
    assertTakenBack();
    from.durability = to.durability;
    assertSwitched(end(_ -> Fate.ANSWERED));
  }

  private static PrefixDurability durability(String prefix, StoreDurability durability) {
    return new PrefixDurability(List.of(new PrefixDurability.Rule(prefix, durability)));
  }

  @Test
  void aFreezeOfATaskThatIsGoneIsTakenBack() throws Exception {
    from.freeze(new MoveKey("task-0", KEY.prefix()));
    tasks.remove("task-0");
    assertSwitched(end(_ -> Fate.ANSWERED));
  }

  @Test
  void whatTheSecondStoreReceivesOfATaskThatIsGoneIsGivenUp() throws Exception {
    to.arrive(new MoveKey("task-0", KEY.prefix()), 1, "");
    tasks.remove("task-0");
    assertSwitched(end(_ -> Fate.ANSWERED));
    assertThat(times("to.abandon")).isEqualTo(1);
  }

  @Test
  void whatTheSecondStoreReceivesOfAnotherTaskStays() throws Exception {
    to.arrive(new MoveKey("task-0", KEY.prefix()), 1, "");
    assertThat(end(_ -> Fate.ANSWERED).phase()).isEqualTo(Phase.Failed);
    assertThat(to.role()).isEqualTo(Role.Arriving);
  }

  /** The first store has left, so nothing may be given up. */
  @Test
  void aSwitchOfATaskThatIsGoneIsFinished() throws Exception {
    MoveKey before = new MoveKey("task-0", KEY.prefix());
    to.arrive(before, from.revision(), "");
    to.take(before, from.page(before, "").records());
    from.leave(before, from.freeze(before));
    tasks.remove("task-0");
    assertSwitched(end(_ -> Fate.ANSWERED));
    assertThat(times("to.abandon")).isZero();
  }

  /** A Kind that comes back: the store that it left takes it again. */
  @Test
  void aKindComesBack() {
    assertSwitched(end(_ -> Fate.ANSWERED));
    MoveKey back = new MoveKey("task-2", KEY.prefix());
    MoveRun[] returning = {null};
    FaultyStore.Happening asks =
        _ -> {
          returning[0].switchOver();
          return Fate.ANSWERED;
        };
    returning[0] =
        new MoveRun(
            back,
            new Side("leases", new FaultyStore(to, this, asks)),
            new Side("default", new FaultyStore(from, this, asks)),
            FAST,
            new Semaphore(1),
            this::exists);
    returning[0].run();
    assertThat(returning[0].state().phase()).isEqualTo(Phase.Switched);
    assertThat(from.data).isEqualTo(model);
    assertThat(from.revision()).isGreaterThan(to.revision());
  }
}
