// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.move.MoveException;
import io.exaplane.store.move.MoveStates;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * What another store asks of a Kind that moves there: keys, and changes since. All of it is read by
 * one event loop, as its long reads are. Thread-safe; waits for nothing.
 */
final class MoveReads {
  /**
   * How large pages may be.
   *
   * @param pageBytes of a page, unless its first record alone has more
   * @param revisionBytes of a revision whose changes a page has alone
   */
  record Bounds(int pageBytes, int revisionBytes) {
    /** Lengths and revisions beside the keys and values that a request of the largest size has. */
    private static final int AROUND_BYTES = 64 << 10;

    /** For a store that takes requests up to a size. */
    static Bounds of(int maxRequestBytes) {
      return new Bounds(
          1 << 20, Math.max(maxRequestBytes, MoveWriter.LEAST_WRITE_BYTES) + AROUND_BYTES);
    }
  }

  /** Pages that may be made at a time: each takes memory, and each pins what it reads. */
  private static final int MOST = 8;

  /** With those that wait for changes, which have no page yet: each looks every 10 ms. */
  private static final int MOST_ASKED = 64;

  private final Supplier<Lane> lane;
  private final RevisionPins pins;
  private final Bounds bounds;
  private final AtomicInteger reading = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();

  /**
   * @param lane whose event loop reads, asked for at the first page
   */
  MoveReads(Supplier<Lane> lane, RevisionPins pins, Bounds bounds) {
    this.lane = lane;
    this.pins = pins;
    this.bounds = bounds;
  }

  /** The keys above one; see {@link StoreMoves#page}. */
  CompletableFuture<MovedPage> page(String prefix, byte[] after) {
    return read(
        (lane, page, _) ->
            new KeysRead(
                lane,
                pins,
                MovePrefix.after(prefix, after),
                after.length == 0,
                bounds.pageBytes(),
                page));
  }

  /** The changes after a revision; see {@link StoreMoves#changes}. */
  CompletableFuture<MovedPage> changes(String prefix, long after, long waitMs) {
    return read(
        (lane, page, place) ->
            new ChangesRead(lane, MoveStates.keys(prefix), after, waitMs, bounds, place, page));
  }

  private interface Begin {
    LongReads.Read on(Lane lane, CompletableFuture<MovedPage> page, Place place);
  }

  private CompletableFuture<MovedPage> read(Begin begin) {
    CompletableFuture<MovedPage> page = new CompletableFuture<>();
    Place place = new Place();
    if (asked.incrementAndGet() > MOST_ASKED || !place.take()) {
      asked.decrementAndGet();
      page.completeExceptionally(
          new MoveException(
              429,
              "the store makes %d pages of moves at a time, and lets %d wait for changes; ask again in a second"
                  .formatted(MOST, MOST_ASKED - MOST)));
      return page;
    }
    page.whenComplete(
        (_, _) -> {
          place.leave();
          asked.decrementAndGet();
        });
    Lane by = lane.get();
    by.execute(() -> by.longReads.wake(begin.on(by, page, place)));
    return page;
  }

  /** The place of one page among those that are made. Used by one thread at a time. */
  final class Place {
    private boolean isTaken;

    /** Takes a place, if there is one. */
    boolean take() {
      if (!isTaken) {
        isTaken = reading.incrementAndGet() <= MOST;
        if (!isTaken) {
          reading.decrementAndGet();
        }
      }
      return isTaken;
    }

    /** Who waits for changes has no page yet. */
    void leave() {
      if (isTaken) {
        isTaken = false;
        reading.decrementAndGet();
      }
    }
  }
}
