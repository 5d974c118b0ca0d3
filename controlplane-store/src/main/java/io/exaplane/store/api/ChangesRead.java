// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.View;
import io.exaplane.store.core.history.AddressLog;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.move.MoveException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Reads the changes of a Kind that moves, after a revision: in portions of its event loop, whole
 * revisions, as far as a page has room. While there are none it waits, for a time, and takes no
 * thread. It pins nothing: what was cleaned away meanwhile, it says. Belongs to the loop.
 */
final class ChangesRead extends LongReads.Read {
  /** Changes of whatever Kinds that are looked at before an answer tells how far that was. */
  private static final long MOST_LOOKED_AT = 1 << 20;

  private static final long LOOK_EVERY_MS = 10;

  private final Lane lane;
  private final RangeReader reader;
  private final MemorySegment memory;
  private final KeyRange range;
  private final long after;
  private final MoveReads.Bounds bounds;
  private final MoveReads.Place place;
  private final CompletableFuture<MovedPage> page;
  private final MoveRecords records = new MoveRecords();
  private final long deadlineNanos;

  /** Of the next event; -1 until the first portion. */
  private long position = -1;

  private long lookedAt;

  /** The revision whose changes are being read; those of all before it are. */
  private long current;

  private long complete;
  private int completeBytes;
  private boolean isWaiting;

  /**
   * @param waitMs how long it waits for a change
   * @param place among the pages that are made, which it leaves while it waits
   */
  ChangesRead(
      Lane lane,
      KeyRange range,
      long after,
      long waitMs,
      MoveReads.Bounds bounds,
      MoveReads.Place place,
      CompletableFuture<MovedPage> page) {
    super(page::completeExceptionally);
    this.lane = lane;
    this.reader = lane.rangeReader;
    this.memory = lane.keyspace.memory();
    this.range = range;
    this.after = after;
    this.complete = after;
    this.bounds = bounds;
    this.place = place;
    this.page = page;
    this.deadlineNanos = lane.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
  }

  @Override
  protected boolean canGoOn() {
    return !isWaiting && !page.isDone();
  }

  @Override
  protected void goOn() {
    lane.reader.enter();
    try {
      View view = lane.keyspace.view();
      if (position < 0) {
        begin(view);
      }
      if (!page.isDone()) {
        if (isGone(view)) {
          page.completeExceptionally(compacted(after, view.historyStart(range)));
        } else {
          readPortion(view);
        }
      }
    } finally {
      lane.reader.leave();
    }
  }

  private void begin(View view) {
    if (after > view.revision()) {
      page.completeExceptionally(
          new MoveException(
              410,
              "after: %d is above the store's revision %d, so this is not the store that was asked before; begin the copy again"
                  .formatted(after, view.revision())));
    } else if (after + 1 < view.historyStart(range)) {
      page.completeExceptionally(compacted(after, view.historyStart(range)));
    } else {
      position = reader.firstEventFrom(view, after + 1);
    }
  }

  private static MoveException compacted(long after, long start) {
    return new MoveException(
        410,
        "after: changes since revision %d are compacted, and the oldest available is %d; begin the copy again"
            .formatted(after, start));
  }

  /** Whether an event that was not read yet may be gone. */
  private boolean isGone(View view) {
    return position < view.firstEvent()
        || position < view.events()
            && AddressLog.revision(memory, reader.event(position)) < view.starts().of(range);
  }

  private void readPortion(View view) {
    Portion portion = lane.longReads.portion();
    long began = records.size();
    for (int looked = 0; position < view.events(); looked++) {
      if (looked == portion.keys() || records.size() - began >= portion.bytes()) {
        return;
      }
      long event = reader.event(position);
      long revision = AddressLog.revision(memory, event);
      if (revision != current) {
        completeBefore(revision);
        current = revision;
        if (lookedAt >= MOST_LOOKED_AT) {
          end();
          return;
        }
      }
      if (!AddressLog.isForgotten(event) && range.contains(memory, event) && !take(event)) {
        return;
      }
      position++;
      lookedAt++;
    }
    completeBefore(view.revision() + 1);
    if (records.size() > 0 || lane.nanoTime() - deadlineNanos >= 0) {
      end();
    } else {
      await();
    }
  }

  private void completeBefore(long revision) {
    complete = revision - 1;
    completeBytes = records.size();
  }

  /** Takes a change, or ends without it. */
  private boolean take(long event) {
    int bytes = records.size() + MoveRecords.sizeOf(memory, event);
    if (completeBytes > 0 && bytes > bounds.pageBytes()) {
      end();
      return false;
    }
    if (bytes > bounds.revisionBytes()) {
      page.completeExceptionally(
          new MoveException(
              410,
              "after: the changes of revision %d alone have more than %d bytes, and no page holds more; begin the copy again"
                  .formatted(current, bounds.revisionBytes())));
      return false;
    }
    if (!Records.isTombstone(memory, event) && KeyValues.lease(memory, event) != 0) {
      page.completeExceptionally(KeysRead.leased(memory, event));
      return false;
    }
    records.add(memory, event);
    return true;
  }

  private void end() {
    records.truncate(completeBytes);
    page.complete(
        new MovedPage(records.toArray(), complete, Optional.empty(), OptionalLong.empty()));
  }

  private void await() {
    isWaiting = true;
    place.leave();
    lane.after(LOOK_EVERY_MS, this::look);
  }

  private void look() {
    boolean isDue = lane.nanoTime() - deadlineNanos >= 0;
    if ((isDue || lane.keyspace.view().events() > position) && place.take()) {
      isWaiting = false;
      lane.longReads.wake(this);
    } else {
      lane.after(LOOK_EVERY_MS, this::look);
    }
  }
}
