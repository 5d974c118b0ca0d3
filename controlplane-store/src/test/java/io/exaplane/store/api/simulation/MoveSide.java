// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.api.SimulatedStore;
import io.exaplane.store.app.move.MovePages;
import io.exaplane.store.app.move.Movers;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** One of the two stores of a move, over all of its lives, with all that it ever showed. */
final class MoveSide {
  static final String PREFIX = "/registry/pods/";
  static final String END = "/registry/pods0";

  /**
   * A change that the store showed.
   *
   * @param value null for a deletion
   */
  record Change(String key, String value, long mod) {}

  final String name;
  final List<Change> shown = new ArrayList<>();
  private final Random random;
  private final LongSupplier clockMs;
  private final SimulatedStorage storage;
  private SimulatedStore store;
  private MovePages pages;
  private long shownUpTo;
  private int life;
  private boolean forgetsMoves;

  MoveSide(String name, Random random, LongSupplier clockMs) {
    this.name = name;
    this.random = random;
    this.clockMs = clockMs;
    this.storage = new SimulatedStorage(random);
    start();
  }

  /** The machine loses the states of moves when it stops. */
  void forgetMoves() {
    forgetsMoves = true;
  }

  private void start() {
    life++;
    while (true) {
      try {
        store = new SimulatedStore(storage, KeyClasses.plain(), clockMs, random);
        break;
      } catch (SimulatedStorage.Crash crash) {
        storage.restart(true);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    pages = new MovePages(store.storeMoves(), new Movers(false), 7);
    look();
  }

  /** Stops the machine after so many steps of its disk. */
  void crashAfter(int steps) {
    storage.crashAfter(steps);
  }

  SimulatedStore store() {
    return store;
  }

  /** How often it was started: connections of earlier lives are lost. */
  int life() {
    return life;
  }

  /** Does something that may end the life. */
  private void live(Runnable action) {
    try {
      action.run();
      look();
    } catch (SimulatedStorage.Crash crash) {
      if (random.nextBoolean()) { // what was shown is on its way to the clients
        for (int loop = 0; loop < store.loops(); loop++) {
          store.runToEnd(loop);
        }
      }
      store.close();
      storage.crashAfter(Integer.MAX_VALUE);
      storage.restart(random.nextInt(4) > 0);
      if (forgetsMoves) {
        storage.wipe("moves");
      }
      start();
    }
  }

  private void look() {
    store.forEachChange(
        PREFIX, shownUpTo, (key, value, mod) -> shown.add(new Change(key, value, mod)));
    shownUpTo = store.shownRevision();
  }

  void turn() {
    live(store::turn);
  }

  void snapshot() {
    live(store::snapshot);
  }

  void run(int loop) {
    store.run(loop);
  }

  void addUp() {
    store.addUp();
  }

  void advance(long ms) {
    store.advance(ms);
  }

  /** All that there is to do, without a crash. */
  void settle() {
    for (int i = 0; i < 3; i++) {
      turn();
      for (int loop = 0; loop < store.loops(); loop++) {
        store.runToEnd(loop);
      }
      addUp();
    }
    snapshot();
  }

  /** Asks for a page, as one on the store's own machine. */
  void ask(String method, String uri, byte[] body, Consumer<PageAnswer> to) {
    pages.answer(PageRequest.of(method, uri, "", true).with(body), to);
  }

  void close() {
    store.close();
  }
}
