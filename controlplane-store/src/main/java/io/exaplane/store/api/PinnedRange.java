// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.result.RangeResult;
import io.exaplane.store.wire.GrpcStream;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A range that is read in pieces, all at the revision at which it began, as fast as its client
 * takes them. Belongs to its call's event loop.
 */
final class PinnedRange {
  private static final long STALLED_S = 60;

  private final Lane lane;
  private final RevisionPins pins;
  private final Runnable onStalled;
  private final RangeResult piece = new RangeResult();
  private final long revision;
  private final Future<?> watchdog;
  private final KeyRange whole;
  private final long most;
  private KeyRange range;
  private long left;
  private boolean pinned = true;
  private boolean progressed;

  /**
   * Pins the revision. Within the epoch in which it was resolved.
   *
   * @param onStalled told when the client took nothing for a minute and its revision was compacted
   *     meanwhile, be it of other keys
   */
  PinnedRange(
      Lane lane,
      RevisionPins pins,
      GrpcStream stream,
      RangeRequest request,
      long revision,
      Runnable onStalled) {
    this.lane = lane;
    this.pins = pins;
    this.onStalled = onStalled;
    this.whole = request.range();
    this.revision = revision;
    this.most = request.countOnly ? 0 : request.limit > 0 ? request.limit : Long.MAX_VALUE;
    rewind();
    piece.keysOnly = request.keysOnly;
    pins.pin(revision);
    watchdog =
        stream
            .loop()
            .scheduleAtFixedRate(this::endIfStalled, STALLED_S, STALLED_S, TimeUnit.SECONDS);
  }

  boolean isPinned() {
    return pinned;
  }

  /** What was read last; its records hold within the epoch. */
  RangeResult piece() {
    return piece;
  }

  /** Begins again. */
  void rewind() {
    range = whole;
    left = most;
  }

  /** Reads the next piece and says whether it is the last one. Within the epoch. */
  boolean readPiece(int mostKeys, long mostBytes) {
    progressed = true;
    boolean keysOnly = piece.keysOnly;
    piece.clear();
    piece.keysOnly = keysOnly;
    if (left == 0 || range.isEmpty()) {
      return true;
    }
    RangeReader reader = lane.rangeReader;
    reader.open(lane.keyspace.view(), range, revision);
    long bytes = 0;
    long record = reader.next();
    while (record != 0 && left > 0 && bytes < mostBytes && piece.records.size() < mostKeys) {
      piece.records.addLong(record);
      bytes += Records.keyValueBytes(lane.keyspace.memory(), record);
      left--;
      record = reader.next();
    }
    reader.close();
    if (record == 0 || left == 0) {
      piece.more = record != 0;
      return true;
    }
    byte[] key = Records.copyKey(lane.keyspace.memory(), record);
    range = KeyRange.of(key, range.end() == null ? new byte[1] : range.end());
    return false;
  }

  /** Lets the revision go. */
  void unpin() {
    if (pinned) {
      pinned = false;
      watchdog.cancel(false);
      pins.unpin(revision);
    }
  }

  /** A client that takes nothing must not hold up what others compacted. */
  private void endIfStalled() {
    if (!progressed && revision < lane.keyspace.view().wholeSince()) {
      unpin();
      onStalled.run();
    }
    progressed = false;
  }
}
