// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.api.SimulatedStore;
import io.exaplane.store.journal.CorruptJournalException;
import io.exaplane.store.journal.SimulatedStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * One seeded history: clients that write, read and watch a store whose machine stops, whose disk
 * loses what was not forced and refuses writes, whose time jumps and whose clients are slow; then
 * the {@link Checker} looks whether it could have been etcd.
 */
final class Simulation {
  private static final int OPERATIONS = 220;
  private static final int CLIENTS = 4;

  /** Of its disk: so many that about half of the histories have a crash. */
  private static final int MOST_STEPS = 600;

  private static final int SETTLE_TURNS = 400;
  private static final long START_MS = 1_000_000;

  private final Random random;
  private final Fault fault;
  private final SimulatedStorage storage;
  private final boolean mixed;
  private final Windows windows;
  private final Scarcity scarcity;
  private final Freezes freezes;
  private final Requests requests;
  private final Checker checker;
  private final Op[] clients = new Op[CLIENTS];
  private final List<Network> networks = new ArrayList<>();
  private final Requests.Known known = new Requests.Known();
  private SimulatedStore store;
  private Network godsNetwork;
  private Epoch epoch;
  private long nowMs = START_MS;
  private int sent;
  private int lives;
  private long nextWatch = 1;

  /**
   * @param fault what is to go wrong, or null
   */
  Simulation(long seed, Fault fault) {
    this.random = new Random(seed);
    this.fault = fault;
    this.storage = new SimulatedStorage(random);
    this.mixed = fault == Fault.REUSED_REVISION || random.nextInt(3) == 0;
    this.requests = new Requests(random);
    this.windows = new Windows(mixed, random.nextInt(3) == 0);
    this.scarcity = new Scarcity(random.nextInt(3) == 0, random);
    this.freezes = new Freezes(random.nextInt(3) == 0);
    this.checker = new Checker(mixed, windows, scarcity, freezes);
    if (fault == Fault.LOST_TAIL) {
      storage.forgetForces();
    }
  }

  /** What is wrong with the history, or null. */
  String run() {
    int crashes = random.nextInt(3);
    try {
      start();
      while (sent < OPERATIONS) {
        storage.crashAfter(
            lives <= crashes ? random.nextInt(1, MOST_STEPS / crashes) : Integer.MAX_VALUE);
        try {
          while (sent < OPERATIONS) {
            step();
          }
        } catch (SimulatedStorage.Crash crash) {
          restart();
        }
      }
      storage.crashAfter(Integer.MAX_VALUE);
      return finish();
    } catch (CorruptJournalException e) {
      return "the store refuses its own files: " + e.getMessage();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalStateException e) {
      return "the store does not understand its own files: " + e.getMessage();
    } finally {
      if (store != null) {
        store.close();
      }
    }
  }

  /** Whether the machine stopped at least once. */
  boolean crashed() {
    return lives > 1;
  }

  // Lives

  private void start() throws IOException {
    lives++;
    while (true) {
      try {
        store =
            new SimulatedStore(storage, windows.classes(), scarcity.limits(), () -> nowMs, random);
        break;
      } catch (SimulatedStorage.Crash crash) {
        storage.restart(true); // while it was starting
      }
    }
    if (fault == Fault.LOST_LEASE && lives > 1) {
      store.loseLease();
    }
    if (epoch == null || mixed) {
      beginEpoch();
    } else {
      watchEverything();
    }
  }

  private void watchEverything() {
    godsNetwork = new Network(store, 0, random, null, this::learn, () -> nowMs);
    godsNetwork.watch(epoch.god());
  }

  private void beginEpoch() {
    Answer all = list();
    Follower god = new Follower("\0", "\0", true, false, 1, all.revision + 1);
    epoch = new Epoch(all.revision, all.kvs, god);
    checker.begin(epoch);
    known.begin(all.revision);
    watchEverything();
  }

  /** Everything, by a client that waits for nothing else. */
  private Answer list() {
    Op op = new Op(Op.Kind.RANGE, List.of("\0"), "\0", "", 0, 0, 0);
    op.floor = known.newest;
    send(op, 0);
    store.runToEnd(0);
    return op.answer;
  }

  private Network network(int loop) {
    return new Network(store, loop, random, fault, this::learn, () -> nowMs);
  }

  private void learn() {
    if (godsNetwork != null) {
      known.newest = Math.max(known.newest, godsNetwork.newest);
      known.shown = Math.max(known.shown, epoch.god().seen);
    }
    for (Network network : networks) {
      known.newest = Math.max(known.newest, network.newest);
    }
  }

  /** The machine stopped; clients come back to what it remembers. */
  private void restart() throws IOException {
    // What was shown is on its way to the clients.
    for (int loop = 0; loop < store.loops(); loop++) {
      store.runToEnd(loop);
    }
    store.close();
    store = null;
    List<Follower> followers = new ArrayList<>();
    networks.forEach(network -> followers.addAll(network.followers()));
    networks.clear();
    godsNetwork = null;
    Arrays.fill(clients, null);
    storage.crashAfter(Integer.MAX_VALUE);
    storage.restart(random.nextInt(4) > 0);
    switch (fault) {
      case WIPED_STORE -> storage.wipe("");
      case TORN_SNAPSHOT -> storage.tear("snapshot-");
      case REUSED_REVISION -> storage.wipe("revision-reserved");
      case null, default -> {}
    }
    start();
    freezes.restarted(store);
    if (mixed) {
      followers.removeIf(follower -> follower.from == 0); // they do not know yet what they miss
    }
    for (Follower follower : followers) {
      Network network = network(random.nextInt(store.loops()));
      networks.add(network);
      network.watch(goesOn(follower));
    }
    learn();
  }

  /** A watch of keys that lost nothing goes on in the new epoch. */
  private Follower goesOn(Follower follower) {
    if (!mixed || !Windows.isDurable(follower)) {
      return follower;
    }
    Follower heir = follower.heir();
    epoch.followers().add(heir);
    return heir;
  }

  // Steps

  private void step() {
    if (freezes.areThere() && random.nextInt(40) == 0) {
      freezes.step(store);
    }
    switch (random.nextInt(100)) {
      case 0 -> follow();
      case 1 -> anyNetwork(Network::askForProgress);
      case 2 -> anyNetwork(network -> network.writable(false));
      case 3, 4 -> anyNetwork(network -> network.writable(true));
      case 5 -> {
        long ms = random.nextInt(2000);
        pass(ms);
        store.advance(ms);
      }
      case 6 -> store.snapshot();
      case 7 -> storage.refuse(random.nextInt(3));
      case 8 ->
          anyNetwork(network -> network.followers().stream().findAny().ifPresent(network::cancel));
      default -> {
        int chance = random.nextInt(10);
        if (chance < 5) {
          client(random.nextInt(CLIENTS));
        } else if (chance < 8) {
          store.turn();
        } else {
          store.run(random.nextInt(store.loops()));
        }
      }
    }
  }

  private void pass(long ms) {
    windows.note(nowMs, store.revision());
    scarcity.note(nowMs, store.revision());
    nowMs += ms;
    known.nowMs = nowMs;
  }

  private void anyNetwork(Consumer<Network> action) {
    if (!networks.isEmpty()) {
      action.accept(networks.get(random.nextInt(networks.size())));
    }
  }

  private void follow() {
    Network network;
    if (networks.isEmpty() || random.nextInt(3) == 0 && networks.size() < 6) {
      network = network(random.nextInt(store.loops()));
      networks.add(network);
    } else {
      network = networks.get(random.nextInt(networks.size()));
    }
    Follower follower = requests.follower(nextWatch++, known);
    epoch.followers().add(follower);
    network.watch(follower);
  }

  private void client(int number) {
    Op last = clients[number];
    if (last != null && !last.isDone()) {
      return;
    }
    Op op = requests.next(known);
    op.floor = known.newest;
    op.sentMs = nowMs;
    clients[number] = op;
    epoch.ops().add(op);
    sent++;
    send(op, random.nextInt(store.loops()));
  }

  private void send(Op op, int loop) {
    Answers answers = new Answers(op, known, fault == Fault.STALE_READ ? random : null);
    SimulatedCall call = new SimulatedCall(store.loop(loop), answers::take, answers::failed);
    byte[] request = op.encode();
    var listener = store.method(op.kind.path).open(call, store.lane(loop));
    listener.message(request, 0, request.length);
  }

  // End

  private String finish() {
    storage.refuse(0);
    freezes.end(store);
    settle();
    Op last = putAfter10s();
    if (last.error != null) {
      return "there is no room again: " + last.error.getMessage();
    }
    Answer end = list();
    // Every lease ends when nobody renews it.
    for (int i = 0; i < 10; i++) {
      pass(60_000);
      store.advance(1000);
      settle();
    }
    Answer expired = list();
    return checker.check(end, expired);
  }

  /** Whatever the store was filled with, and although nobody compacts it. */
  private Op putAfter10s() {
    for (int i = 0; i < 20; i++) {
      pass(500);
      store.advance(500);
      settle();
    }
    Op op = new Op(Op.Kind.PUT, List.of("/b/1"), "", "last", 0, 0, 0);
    op.floor = known.newest;
    op.sentMs = nowMs;
    epoch.ops().add(op);
    send(op, 0);
    settle();
    return op;
  }

  private void settle() {
    storage.refuse(0);
    networks.forEach(network -> network.writable(true));
    for (int i = 0; i < SETTLE_TURNS; i++) {
      store.turn();
      for (int loop = 0; loop < store.loops(); loop++) {
        store.runToEnd(loop);
      }
      if (i % 10 == 0) {
        store.snapshot();
      }
    }
  }
}
