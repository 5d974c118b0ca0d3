// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.watch;

import io.exaplane.store.codec.ResponseCodec;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Varint;
import java.lang.foreign.MemorySegment;
import org.agrona.collections.LongArrayList;

/** Encodes and sends etcdserverpb.WatchResponse. Used by one event loop. */
final class WatchSender {
  /** id of what concerns all watches of a stream, or none. */
  static final long NO_WATCH = -1;

  /** A response is ended when it is larger; within a revision only if the watch takes fragments. */
  private static final int MOST_BYTES = 1 << 20;

  private static final int WATCH_ID = 2;
  private static final int CREATED = 3;
  private static final int CANCELED = 4;
  private static final int COMPACT_REVISION = 5;
  private static final int CANCEL_REASON = 6;
  private static final int FRAGMENT = 7;
  private static final int EVENTS = 11;
  private static final long DELETE = 1;

  /** Of an event that is a deletion. */
  private static final int TYPE_BYTES = 2;

  /** More at one revision are sent as they are made, however small they are. */
  private static final int FEW_EVENTS = 1 << 12;

  private final WatchHub.Reading reading;
  private final RangeReader reader;
  private final ResponseCodec codec;
  private final MemorySegment memory;
  private final ReverseWriter out = new ReverseWriter();

  WatchSender(ResponseCodec codec, WatchHub.Reading reading) {
    this.reading = reading;
    this.reader = reading.reader();
    this.codec = codec;
    this.memory = codec.memory();
  }

  /**
   * Sends a watcher what is pending, in as many responses as its size asks for, or fewer when its
   * client can't take them now; never a part of a revision alone.
   *
   * @param revision up to which these are all of its events
   * @return how many events were sent
   */
  int events(Watcher watcher, long revision) {
    LongArrayList pending = watcher.pending;
    int from = 0;
    while (from < pending.size()) {
      int to = endOfResponse(watcher, from);
      boolean last = to == pending.size();
      long lastRevision = Records.modRevision(memory, pending.getLong(to - 1));
      boolean splitsRevision =
          !last && Records.modRevision(memory, pending.getLong(to)) == lastRevision;
      if (!watcher.fragment && isLarge(watcher, from, to)) {
        large(watcher, from, to, last ? revision : lastRevision);
        from = to;
        break;
      }
      out.clear();
      for (int i = to - 1; i >= from; i--) {
        event(out, watcher, pending.getLong(i));
      }
      out.flag(FRAGMENT, splitsRevision);
      end(watcher.stream, watcher.id, last ? revision : lastRevision);
      from = to;
      if (!last && !splitsRevision && !watcher.stream.isWritable()) {
        break;
      }
    }
    watcher.sentSinceTick = true;
    return from;
  }

  private int endOfResponse(Watcher watcher, int from) {
    LongArrayList pending = watcher.pending;
    int to = from;
    long bytes = 0;
    while (to < pending.size()) {
      long event = pending.getLong(to);
      bytes += Records.keyValueBytes(memory, event) * (watcher.prevKv ? 2L : 1L);
      boolean maySplit =
          watcher.fragment
              || (to > from
                  && Records.modRevision(memory, pending.getLong(to - 1))
                      != Records.modRevision(memory, event));
      if (bytes > MOST_BYTES && to > from && maySplit) {
        return to;
      }
      to++;
    }
    return to;
  }

  /** Whether a response that can't be split is too large to be made at once. */
  private boolean isLarge(Watcher watcher, int from, int to) {
    if (to - from == 1) {
      return false; // one event is made at once, whatever its size
    }
    LongArrayList pending = watcher.pending;
    if (Records.modRevision(memory, pending.getLong(from))
        != Records.modRevision(memory, pending.getLong(to - 1))) {
      return false; // it ends before the event that would have made it so
    }
    return to - from > FEW_EVENTS || bytes(watcher, from, to) > MOST_BYTES;
  }

  private long bytes(Watcher watcher, int from, int to) {
    long bytes = 0;
    for (int i = from; i < to; i++) {
      bytes += eventBytes(watcher, watcher.pending.getLong(i));
    }
    return bytes;
  }

  private void large(Watcher watcher, int from, int to, long headerRevision) {
    WatchStream stream = watcher.stream;
    long bytes = bytes(watcher, from, to);
    out.clear();
    out.number(WATCH_ID, watcher.id);
    codec.header(out, headerRevision);
    if (out.length() + bytes > Integer.MAX_VALUE) {
      stream.fail(StoreException.RESPONSE_TOO_LARGE);
      return;
    }
    long revision = Records.modRevision(memory, watcher.pending.getLong(from));
    stream.begin(new LargeRevision(watcher, this, reading, revision, bytes), out.length() + bytes);
    stream.part(out.array(), out.start(), out.length());
  }

  /** Bytes of {@link #event}. */
  long eventBytes(Watcher watcher, long event) {
    long bytes = field(Records.keyValueBytes(memory, event));
    long before = shownBefore(watcher, event);
    if (before != 0) {
      int length = Records.keyValueBytes(memory, before);
      bytes +=
          field(
              elidesBefore(watcher, event)
                  ? length - KeyValues.valueFieldBytes(memory, before)
                  : length);
    }
    return field(bytes + (Records.isTombstone(memory, event) ? TYPE_BYTES : 0));
  }

  private static long field(long bytes) {
    return 1 + Varint.length(bytes) + bytes;
  }

  /** The version before an event that its watcher is shown; 0 for none. */
  private long shownBefore(Watcher watcher, long event) {
    return watcher.prevKv && !WatchHub.isCreation(memory, event) ? reader.before(event) : 0;
  }

  private boolean elidesBefore(Watcher watcher, long event) {
    return watcher.stream.elidesValues() && !Records.isTombstone(memory, event);
  }

  /** Writes an event, as a field of a response. */
  void event(ReverseWriter out, Watcher watcher, long event) {
    int mark = out.length();
    boolean isDelete = Records.isTombstone(memory, event);
    long before = shownBefore(watcher, event);
    if (before != 0) {
      before(out, memory, before, elidesBefore(watcher, event));
    }
    out.keyValue(2, memory, event);
    out.number(1, isDelete ? DELETE : 0);
    out.message(EVENTS, mark);
  }

  private static void before(
      ReverseWriter out, MemorySegment memory, long record, boolean elidesValue) {
    if (elidesValue) {
      out.keyValueWithoutValue(3, memory, record);
    } else {
      out.keyValue(3, memory, record);
    }
  }

  void created(WatchStream stream, long id, long revision) {
    out.clear();
    out.flag(CREATED, true);
    end(stream, id, revision);
  }

  void refused(WatchStream stream, long revision, String reason) {
    out.clear();
    out.text(CANCEL_REASON, reason);
    out.flag(CANCELED, true);
    out.flag(CREATED, true);
    end(stream, NO_WATCH, revision);
  }

  void canceled(WatchStream stream, long id, long revision, long compactRevision) {
    out.clear();
    out.number(COMPACT_REVISION, compactRevision);
    out.flag(CANCELED, true);
    end(stream, id, revision);
  }

  /** Says that everything up to the revision was sent. */
  void progress(WatchStream stream, long id, long revision) {
    out.clear();
    end(stream, id, revision);
  }

  /** Puts in front what every response has, and sends it. */
  private void end(WatchStream stream, long id, long revision) {
    out.number(WATCH_ID, id);
    codec.header(out, revision);
    stream.send(out.array(), out.start(), out.length());
  }
}
