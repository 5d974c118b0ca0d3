// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.api.StoreMoves;
import io.exaplane.store.core.error.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One seeded history of two stores between which a Kind moves while clients write, read and watch
 * it. The machines of both stores stop at any step of their disks and lose only what was not
 * forced; who moves the Kind ends anywhere, gives up anywhere before it left, and moves it back.
 */
final class MoveSimulation {
  private static final int STEPS = 6_000;
  private static final int CLIENTS = 3;
  private static final int WATCHERS = 3;
  private static final int MOST_TO_SETTLE = 4_000;
  private static final int MOST_STEPS_TO_CRASH = 250;

  private final Random random;
  private final MoveFault fault;
  private long nowMs = 1_000_000;
  private final MoveSide a;
  private final MoveSide b;
  private final List<MoveClient> clients = new ArrayList<>();
  private final List<MoveWatcher> watchers = new ArrayList<>();
  private MoveSide route;
  private MoveSide serving;
  private final boolean hasZombies;
  private MovePump pump;

  /** One that was taken for ended, and goes on. */
  private MovePump zombie;

  private int moves;
  private int moved;
  private int rolledBack;
  private int pumpsEnded;

  /**
   * @param fault what is to go wrong, or null
   */
  MoveSimulation(long seed, MoveFault fault) {
    this.random = new Random(seed);
    this.fault = fault;
    this.hasZombies = random.nextInt(3) == 0;
    this.a = new MoveSide("a", random, () -> nowMs);
    this.b = new MoveSide("b", random, () -> nowMs);
    this.route = a;
    this.serving = a;
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new MoveClient(i, random, () -> route));
    }
    for (int i = 0; i < WATCHERS; i++) {
      watchers.add(new MoveWatcher(i, () -> route));
    }
    begin();
  }

  int moved() {
    return moved;
  }

  int rolledBack() {
    return rolledBack;
  }

  int pumpsEnded() {
    return pumpsEnded;
  }

  int crashes() {
    return a.life() + b.life() - 2;
  }

  /** Lists of watchers after the first, to which word of a compaction led. */
  int listedAgain() {
    return watchers.stream().mapToInt(MoveWatcher::lists).sum() - WATCHERS;
  }

  private MoveSide other(MoveSide side) {
    return side == a ? b : a;
  }

  private void begin() {
    moves++;
    zombie = null;
    pump = newPump();
  }

  private MovePump newPump() {
    return new MovePump(
        random, fault, "move-" + moves, serving, other(serving), side -> route = side);
  }

  /** What is wrong with the history, or null. */
  String run() {
    try {
      planCrash();
      for (int i = 0; i < STEPS && finding() == null; i++) {
        step(true);
      }
      a.crashAfter(Integer.MAX_VALUE);
      b.crashAfter(Integer.MAX_VALUE);
      String end = finding() == null ? settle() : finding();
      return end != null ? end : check();
    } finally {
      a.close();
      b.close();
    }
  }

  private void planCrash() {
    (random.nextBoolean() ? a : b).crashAfter(random.nextInt(1, MOST_STEPS_TO_CRASH));
  }

  private void step(boolean mayGoWrong) {
    MoveSide side = random.nextBoolean() ? a : b;
    switch (random.nextInt(20)) {
      case 0, 1, 2 -> clients.get(random.nextInt(CLIENTS)).step(mayGoWrong);
      case 3, 4, 5 -> watchers.get(random.nextInt(WATCHERS)).step();
      case 6, 7, 8 -> {
        if (zombie != null && random.nextInt(3) == 0) {
          zombie.go();
          pump.disturb();
          zombie = random.nextInt(40) == 0 ? null : zombie;
        } else {
          pumpStep();
        }
      }
      case 9, 10, 11, 12 -> side.turn();
      case 13, 14, 15, 16 -> side.run(random.nextInt(side.store().loops()));
      case 17 -> side.addUp();
      case 18 -> {
        if (random.nextInt(4) == 0) {
          side.snapshot();
        }
      }
      default -> {
        nowMs += 10;
        side.advance(10 + random.nextInt(100));
        if (mayGoWrong) {
          goWrong();
        }
      }
    }
  }

  private void goWrong() {
    switch (random.nextInt(40)) {
      case 0 -> {
        zombie = hasZombies ? pump : null;
        pump = newPump();
        pumpsEnded++;
      }
      case 1 -> pump.rollBack();
      case 2, 4, 5 -> planCrash();
      case 3 -> noise(random.nextBoolean() ? a : b);
      case 6 -> raise(random.nextBoolean() ? a : b);
      default -> {}
    }
  }

  /** Another Kind comes to a store, from one whose revisions are higher. */
  private static void raise(MoveSide side) {
    side.store().moves().raise(side.store().shownRevision() + 2 * StoreMoves.GAP);
  }

  /** Others' keys change, too. */
  private void noise(MoveSide side) {
    for (int i = 0; i < 8; i++) {
      Op op = new Op(Op.Kind.PUT, List.of("/registry/nodes/" + i), "", "v".repeat(20), 0, 0, 0);
      SimulatedCall call = new SimulatedCall(side.store().loop(0), _ -> {}, _ -> {});
      byte[] request = op.encode();
      side.store()
          .method(op.kind.path)
          .open(call, side.store().lane(0))
          .message(request, 0, request.length);
    }
  }

  private void pumpStep() {
    pump.go();
    if (pump.isDone()) {
      if (pump.step() == MovePump.Step.DONE) {
        moved++;
        serving = other(serving);
      } else {
        rolledBack++;
      }
      begin();
    }
  }

  private String finding() {
    if (pump.finding() != null) {
      return pump.finding();
    }
    return Stream.concat(
            clients.stream().map(MoveClient::finding), watchers.stream().map(MoveWatcher::finding))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** The move that is under way ends, and everybody gets what is left. */
  private String settle() {
    zombie = null;
    int before = moved + rolledBack;
    for (int i = 0; i < MOST_TO_SETTLE && finding() == null; i++) {
      if (moved + rolledBack == before) {
        pumpStep();
      }
      a.settle();
      b.settle();
      a.advance(110);
      b.advance(110);
      clients.forEach(client -> client.step(false));
      watchers.forEach(MoveWatcher::step);
      boolean isQuiet =
          moved + rolledBack > before
              && clients.stream().noneMatch(MoveClient::isWaiting)
              && watchers.stream().allMatch(MoveWatcher::isWatching);
      if (isQuiet) {
        a.settle();
        b.settle();
        return finding();
      }
    }
    return finding() != null ? finding() : "it does not end: " + pump;
  }

  // Check

  private String check() {
    watchers.forEach(MoveWatcher::checkEvents);
    if (finding() != null) {
      return finding();
    }
    Op here = list(serving);
    Op there = list(other(serving));
    if (here.error != null) {
      return "store %s, which has the Kind, refuses: %s".formatted(serving.name, here);
    }
    if (there.error != StoreException.MOVED && there.error != null) {
      return "store %s does not say that the Kind moved: %s".formatted(other(serving).name, there);
    }
    if (there.error == null && !there.answer.kvs.isEmpty()) {
      return "both stores serve the Kind: %s, %s".formatted(here, there);
    }
    Map<String, String> keys = new TreeMap<>();
    here.answer.kvs.forEach(kv -> keys.put(kv.key(), kv.value()));
    for (MoveWatcher watcher : watchers) {
      if (!watcher.keys().equals(keys)) {
        return "a watcher has %s, and there is %s".formatted(watcher.keys(), keys);
      }
    }
    return writes(keys);
  }

  private String writes(Map<String, String> keys) {
    Map<String, Set<String>> possible = new TreeMap<>();
    clients.forEach(client -> possible.putAll(client.possible()));
    for (var each : possible.entrySet()) {
      String value = keys.getOrDefault(each.getKey(), "");
      if (!each.getValue().contains(value)) {
        return "key %s has '%s', and was to have one of %s"
            .formatted(each.getKey(), value, each.getValue());
      }
    }
    keys.keySet().removeAll(possible.keySet());
    return keys.isEmpty() ? null : "nobody wrote " + keys;
  }

  private static Op list(MoveSide side) {
    Op op = new Op(Op.Kind.RANGE, List.of(MoveSide.PREFIX), MoveSide.END, "", 0, 0, 0);
    Answers answers = new Answers(op, new Requests.Known(), null);
    SimulatedCall call = new SimulatedCall(side.store().loop(0), answers::take, answers::failed);
    byte[] request = op.encode();
    side.store()
        .method(op.kind.path)
        .open(call, side.store().lane(0))
        .message(request, 0, request.length);
    side.advance(200);
    side.settle();
    return op;
  }
}
