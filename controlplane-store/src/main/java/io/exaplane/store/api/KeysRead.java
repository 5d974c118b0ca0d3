// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.View;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.move.MoveException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Reads the next keys of a Kind that moves: in portions of its event loop, all at the newest
 * revision there was when it began, which is pinned until it ends. Belongs to the loop.
 */
final class KeysRead extends LongReads.Read {
  private final Lane lane;
  private final RevisionPins pins;
  private final MemorySegment memory;
  private final boolean counts;
  private final int mostBytes;
  private final CompletableFuture<MovedPage> page;
  private final MoveRecords records = new MoveRecords();
  private KeyRange range;
  private boolean isPinned;
  private long revision;
  private byte[] last;
  private OptionalLong keys = OptionalLong.empty();

  /**
   * @param counts whether the page tells how many keys the range has
   * @param mostBytes of the page, unless its first record alone has more
   */
  KeysRead(
      Lane lane,
      RevisionPins pins,
      KeyRange range,
      boolean counts,
      int mostBytes,
      CompletableFuture<MovedPage> page) {
    super(page::completeExceptionally);
    this.lane = lane;
    this.pins = pins;
    this.memory = lane.keyspace.memory();
    this.range = range;
    this.counts = counts;
    this.mostBytes = mostBytes;
    this.page = page;
    page.whenComplete((_, _) -> unpin());
  }

  @Override
  protected boolean canGoOn() {
    return !page.isDone();
  }

  @Override
  protected void goOn() {
    lane.reader.enter();
    try {
      View view = lane.keyspace.view();
      if (!isPinned) {
        revision = view.revision();
        pins.pin(revision);
        isPinned = true;
        if (counts) {
          keys = OptionalLong.of(lane.rangeReader.count(view, range, revision));
        }
      }
      lane.rangeReader.open(view, range, revision);
      readPortion();
    } finally {
      lane.rangeReader.close();
      lane.reader.leave();
    }
  }

  private void readPortion() {
    int looked = 0;
    long began = records.size();
    Portion portion = lane.longReads.portion();
    for (long record = lane.rangeReader.next(); record != 0; record = lane.rangeReader.next()) {
      boolean isFull = records.size() + MoveRecords.sizeOf(memory, record) > mostBytes;
      if (records.size() > 0 && isFull) {
        end(Optional.of(last));
        return;
      }
      if (looked == portion.keys() || records.size() - began >= portion.bytes()) {
        range = KeyRange.of(Records.copyKey(memory, record), range.end());
        return;
      }
      if (KeyValues.lease(memory, record) != 0) {
        page.completeExceptionally(leased(memory, record));
        return;
      }
      looked++;
      records.add(memory, record);
      last = Records.copyKey(memory, record);
    }
    end(Optional.empty());
  }

  private void end(Optional<byte[]> next) {
    page.complete(new MovedPage(records.toArray(), revision, next, keys));
  }

  /** Why a version can't move. */
  static MoveException leased(MemorySegment memory, long record) {
    return new MoveException(
        409,
        "key '%s' has the etcd lease %x, and keys with a lease can't move; delete the key, or keep its Kind in this store"
            .formatted(
                new String(Records.copyKey(memory, record), StandardCharsets.UTF_8)
                    .replaceAll("\\p{Cntrl}", "?"),
                KeyValues.lease(memory, record)));
  }

  private void unpin() {
    if (isPinned) {
      isPinned = false;
      pins.unpin(revision);
    }
  }
}
