// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;

/**
 * A move of a Kind by the stores' pages, small enough to be read beside what the stores promise. It
 * may be left at any step: another one with the same id goes on. One thread.
 */
final class Move implements AutoCloseable {
  private static final long CAUGHT_UP = 50;
  private static final String ARRIVING = "Arriving";
  private static final String FROZEN = "Frozen";
  private static final String LEFT = "Left";

  /** What is about to be done. */
  enum Step {
    ARRIVE,
    /** After the first page. */
    COPY,
    FOLLOW,
    SELECT,
    FREEZE,
    LAST_CHANGES,
    LEAVE,
    FINISH,
    /** After all. */
    DONE
  }

  /** Is called before each step, and ends the move by an exception. */
  interface Before {
    Before NOTHING = _ -> {};

    void step(Step step) throws Exception;
  }

  private final StorePages pages;
  private final Store from;
  private final Store to;
  private final Route route;
  private final Before before;
  private long copiedTo;
  private Duration pause = Duration.ZERO;

  Move(StorePages pages, Store from, Store to, Route route, Before before) {
    this.pages = pages;
    this.from = from;
    this.to = to;
    this.route = route;
    this.before = before;
  }

  /** From the beginning to the end. */
  void run() throws Exception {
    copy();
    switchOver();
  }

  /** Goes on where another one was left, as an operator does that has just begun to lead. */
  void resume() throws Exception {
    String left = pages.state(from);
    String right = pages.state(to);
    if (left.equals(LEFT)) {
      finish();
    } else if (left.equals(FROZEN) && right.equals(ARRIVING)) {
      // What was followed is not known any more, so nothing but a new copy will do.
      pages.change(from, "thaw", "");
      route.select(from);
      run();
    } else if (left.isEmpty() || !right.equals("Arrived")) {
      route.select(from);
      run();
    }
  }

  /** All keys, and what changed meanwhile. */
  void copy() throws Exception {
    copiedTo = pages.states(from).path("revision").asLong();
    before.step(Step.ARRIVE);
    pages.change(to, "arrive", "&above=" + copiedTo);
    String after = "";
    do {
      StorePages.Answer page = pages.read(from, "page", after.isEmpty() ? "" : "&after=" + after);
      pages.take(to, page.body());
      follow(0);
      if (after.isEmpty()) {
        before.step(Step.COPY);
      }
      after = page.header("x-exaplane-next");
    } while (!after.isEmpty());
    before.step(Step.FOLLOW);
    while (pages.states(from).path("revision").asLong() - copiedTo > CAUGHT_UP) {
      follow(100);
    }
  }

  private void follow(int waitMs) throws IOException, InterruptedException {
    StorePages.Answer changes =
        pages.read(from, "changes", "&after=%d&waitMs=%d".formatted(copiedTo, waitMs));
    pages.take(to, changes.body());
    copiedTo = Math.max(copiedTo, changes.revision());
  }

  /** Freezes, so that nothing but the last changes is missing. */
  void freeze() throws Exception {
    before.step(Step.SELECT);
    route.select(to);
    before.step(Step.FREEZE);
    long frozen = pages.change(from, "freeze", "").path("revision").asLong();
    before.step(Step.LAST_CHANGES);
    while (copiedTo < frozen) {
      follow(0);
    }
  }

  private void switchOver() throws Exception {
    long begun = System.nanoTime();
    freeze();
    before.step(Step.LEAVE);
    JsonNode sum = sum(from);
    if (!sum.equals(sum(to))) {
      throw new AssertionError("the sums differ: %s, %s".formatted(sum, sum(to)));
    }
    pages.change(from, "leave", "");
    before.step(Step.FINISH);
    finish();
    pause = Duration.ofNanos(System.nanoTime() - begun);
    before.step(Step.DONE);
  }

  private void finish() throws IOException, InterruptedException {
    route.select(to);
    JsonNode sum = sum(from);
    pages.change(
        to,
        "finish",
        "&keys=%d&sha256=%s".formatted(sum.path("keys").asLong(), sum.path("sha256").asText()));
  }

  private JsonNode sum(Store store) throws IOException, InterruptedException {
    ObjectNode sum = (ObjectNode) pages.read(store, "sum", "").json();
    sum.remove("revision");
    return sum;
  }

  /** Takes all back, which is possible until the store leaves. */
  void takeBack() throws IOException, InterruptedException {
    route.select(from);
    pages.change(from, "thaw", "");
    pages.change(to, "abandon", "");
  }

  /** Deletes what the store still has that has left. */
  void clear() throws IOException, InterruptedException {
    pages.change(from, "clear", "");
  }

  /** From the switch of the route to the new store's first answer. */
  Duration pause() {
    return pause;
  }

  @Override
  public void close() {
    pages.close();
  }
}
