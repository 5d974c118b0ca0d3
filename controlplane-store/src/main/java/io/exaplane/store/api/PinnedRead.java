// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.result.RangeResult;
import io.exaplane.store.wire.GrpcStream;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Keys that are read in pieces, all at the revision at which that began, as fast as the client
 * takes them. Belongs to its call's event loop.
 */
abstract class PinnedRead {
  private static final long STALLED_S = 60;

  final Lane lane;
  final long revision;
  final RangeResult piece = new RangeResult();
  private final RevisionPins pins;
  private final Runnable onStalled;
  private final Future<?> watchdog;
  private boolean pinned = true;
  private boolean progressed;

  /**
   * Pins the revision. Within the epoch in which it was resolved.
   *
   * @param onStalled told when the client took nothing for a minute, and that takes memory or its
   *     revision was compacted meanwhile, be it of other keys
   */
  PinnedRead(
      Lane lane,
      RevisionPins pins,
      GrpcStream stream,
      boolean keysOnly,
      long revision,
      Runnable onStalled) {
    this.lane = lane;
    this.pins = pins;
    this.revision = revision;
    this.onStalled = onStalled;
    piece.keysOnly = keysOnly;
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
  abstract void rewind();

  /**
   * Reads the next piece and says whether it is the last one. Within the epoch.
   *
   * @param mostKeys that are looked at
   */
  final boolean readPiece(int mostKeys, long mostBytes) {
    progressed = true;
    boolean keysOnly = piece.keysOnly;
    piece.clear();
    piece.keysOnly = keysOnly;
    return read(mostKeys, mostBytes);
  }

  abstract boolean read(int mostKeys, long mostBytes);

  /** Whether it takes memory that others want while its client takes nothing. */
  abstract boolean takesMemory();

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
    if (!progressed && (takesMemory() || revision < lane.keyspace.view().wholeSince())) {
      unpin();
      onStalled.run();
    }
    progressed = false;
  }
}
