// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.watch;

import io.exaplane.store.api.LongReads;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.history.AddressLog;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.Records;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The events of one revision for a watcher that takes no fragments, as one message, which is made
 * while the client takes it: however many keys were deleted at once, it takes a portion of memory.
 * Nothing else goes out on its stream meanwhile. Belongs to the stream's event loop.
 */
final class LargeRevision extends LongReads.Read {
  private static final long STALLED_S = 60;

  private final WatchStream stream;
  private final Watcher watcher;
  private final WatchSender sender;
  private final Keyspace keyspace;
  private final RangeReader reader;
  private final EpochReclaimer.Reader epoch;
  private final RevisionPins pins;
  private final LongReads reads;
  private final long revision;
  private final Future<?> watchdog;
  private final ReverseWriter out = new ReverseWriter();

  /** How many of the revision's events were looked at. */
  private long looked;

  private long left;
  private boolean progressed = true;
  private boolean closed;

  /**
   * Pins what the events need. Within the epoch.
   *
   * @param eventBytes of all of them, encoded
   */
  LargeRevision(
      Watcher watcher,
      WatchSender sender,
      WatchHub.Reading reading,
      long revision,
      long eventBytes) {
    super(watcher.stream::fail);
    this.stream = watcher.stream;
    this.watcher = watcher;
    this.sender = sender;
    this.keyspace = reading.keyspace();
    this.reader = reading.reader();
    this.epoch = reading.epoch();
    this.pins = reading.pins();
    this.reads = reading.longReads();
    this.revision = revision;
    this.left = eventBytes;
    pins.pin(revision - 1);
    watchdog =
        stream
            .hub()
            .loop()
            .scheduleAtFixedRate(this::endIfStalled, STALLED_S, STALLED_S, TimeUnit.SECONDS);
  }

  void wake() {
    reads.wake(this);
  }

  @Override
  protected boolean canGoOn() {
    return !closed && stream.takesBytes();
  }

  @Override
  protected void goOn() {
    progressed = true;
    long first = looked;
    long bytes = 0;
    epoch.enter();
    try {
      View view = keyspace.view();
      long start = reader.firstEventFrom(view, revision);
      long at = start + looked;
      while (at < view.events() && bytes < reads.portion().bytes()) {
        long event = reader.event(at);
        if (AddressLog.revision(keyspace.memory(), event) != revision) {
          break;
        }
        bytes += isWanted(event) ? sender.eventBytes(watcher, event) : 0;
        at++;
      }
      looked = at - start;
      out.clear().expect(bytes);
      for (at--; at >= start + first; at--) {
        long event = reader.event(at);
        if (isWanted(event)) {
          sender.event(out, watcher, event);
        }
      }
    } finally {
      epoch.leave();
    }
    left -= out.length();
    if (left < 0 || first == looked) { // its message would have another length than was said
      throw new IllegalStateException("%d bytes too few or too many".formatted(left));
    }
    boolean last = left == 0;
    if (last) {
      close();
    }
    stream.part(out.array(), out.start(), out.length());
    if (last) {
      stream.largeIsOut();
    }
  }

  private boolean isWanted(long event) {
    return !AddressLog.isForgotten(event)
        && watcher.range.contains(keyspace.memory(), event)
        && !(Records.isTombstone(keyspace.memory(), event) ? watcher.noDelete : watcher.noPut);
  }

  /** A client that takes nothing must not hold up what others compacted. */
  private void endIfStalled() {
    if (!progressed && revision <= keyspace.view().wholeSince()) {
      close();
      stream.fail(StoreException.SLOW_READER);
    }
    progressed = false;
  }

  /** Lets go of what it pinned. */
  void close() {
    if (!closed) {
      closed = true;
      watchdog.cancel(false);
      pins.unpin(revision - 1);
    }
  }
}
