// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.watch;

import io.exaplane.store.api.LongReads;
import io.exaplane.store.codec.ResponseCodec;
import io.exaplane.store.core.HistoryStarts;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.history.AddressLog;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.stats.Counter;
import io.netty.channel.EventLoop;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The watchers of one event loop. Those that keep up share one position in the store's events: each
 * new event is matched once and noted for whom it concerns. One whose client is slow, or that
 * starts in the past, has a position of its own and reads the events from there, a piece at a time.
 *
 * <p>What comes soon after events were handed out is gathered: most of what an event costs is the
 * write to a socket, and one write can carry many.
 */
public final class WatchHub {
  /** Events that a watcher which catches up looks at before others get their turn. */
  private static final int EVENTS_PER_TURN = 4096;

  /** Events that are noted for a watcher at a time; if there are more it reads them by itself. */
  private static final int MOST_PENDING = 1 << 10;

  private static final int BYTES_PER_TURN = 1 << 20;

  private final EventLoop loop;
  private final long gatherNanos;
  private final Keyspace keyspace;
  private final MemorySegment memory;
  private final EpochReclaimer.Reader epoch;
  private final RangeReader reader;
  private final WatcherIndex synced;
  private final WatchSender sender;
  private final List<Watcher> touched = new ArrayList<>();
  private final Consumer<Watcher> note = this::note;
  private View view;
  private long position;
  private long record;
  private int watchers;
  private long handedOut;
  private boolean scheduled;
  private final Set<WatchStream> streams = new HashSet<>();
  private final Counter sentEvents = new Counter();
  private final Set<Watcher> slow = new HashSet<>();
  private final Map<String, Integer> byKind = new TreeMap<>();
  // The oldest revision whose events were not handed out yet; for the writer to read.
  private volatile long oldestNeeded = Long.MAX_VALUE;

  /** What events are read with. */
  record Reading(
      Keyspace keyspace,
      RangeReader reader,
      EpochReclaimer.Reader epoch,
      RevisionPins pins,
      LongReads longReads) {}

  /**
   * @param longReads where large responses have their turns
   * @param gatherNanos from handing out events to the next time, unless somebody asks
   */
  public WatchHub(
      EventLoop loop,
      Keyspace keyspace,
      EpochReclaimer.Reader epoch,
      ResponseCodec codec,
      RevisionPins pins,
      LongReads longReads,
      long gatherNanos) {
    this.loop = loop;
    this.gatherNanos = gatherNanos;
    this.handedOut = loop.ticker().nanoTime() - gatherNanos;
    this.keyspace = keyspace;
    this.memory = keyspace.memory();
    this.epoch = epoch;
    this.reader = new RangeReader(keyspace);
    this.synced = new WatcherIndex(memory);
    this.sender = new WatchSender(codec, new Reading(keyspace, reader, epoch, pins, longReads));
    this.view = keyspace.view();
    this.position = view.events();
  }

  /** The oldest revision that must not be cleaned away for the watchers that keep up. */
  public long oldestNeeded() {
    return oldestNeeded;
  }

  /** How its watches are doing. By its event loop. */
  public WatchStatistics statistics() {
    long lag = 0;
    for (Watcher watcher : slow) {
      lag = Math.max(lag, view.events() - Math.max(0, watcher.position));
    }
    return new WatchStatistics(
        streams.size(), slow.size(), lag, sentEvents.get(), new TreeMap<>(byKind));
  }

  void streamOpened(WatchStream stream) {
    streams.add(stream);
  }

  void streamClosed(WatchStream stream) {
    streams.remove(stream);
  }

  /** Hands out all that is new, then ends the calls that have a watch of these keys only. */
  public void end(KeyRange keys, StoreException why) {
    dispatch();
    streams.stream()
        .filter(stream -> stream.watches(keys))
        .toList()
        .forEach(stream -> stream.end(why));
  }

  private static String kind(Watcher watcher) {
    byte[] start = watcher.range.start();
    return KeyClasses.kind(start, 0, start.length);
  }

  EventLoop loop() {
    return loop;
  }

  WatchSender sender() {
    return sender;
  }

  /** The revision up to which watchers that keep up have seen everything. */
  long revision() {
    return view.revision();
  }

  /** Hands out what is new, now or, if some was just handed out, soon. */
  public void dispatchSoon() {
    long sinceNanos = loop.ticker().nanoTime() - handedOut;
    if (watchers == 0 || sinceNanos >= gatherNanos) {
      dispatch();
    } else if (!scheduled) {
      scheduled = true;
      loop.schedule(this::dispatchGathered, gatherNanos - sinceNanos, TimeUnit.NANOSECONDS);
    }
  }

  private void dispatchGathered() {
    scheduled = false;
    dispatch();
  }

  /** Hands out all that is new. */
  void dispatch() {
    dispatch(watchers);
  }

  /** Hands out all that is new; what comes next is kept for one more watcher. */
  void dispatchBeforeAdding() {
    dispatch(watchers + 1);
  }

  private void dispatch(int watchersThen) {
    boolean any = false;
    epoch.enter();
    try {
      view = keyspace.view();
      if (synced.isEmpty()) {
        position = view.events();
      }
      for (; position < view.events(); position++) {
        record = reader.event(position);
        synced.forEachOf(record, note);
      }
      any = !touched.isEmpty();
      for (Watcher watcher : touched) {
        deliver(watcher);
      }
      touched.clear();
      // Within the epoch, so that the writer knows before it may free what comes next.
      oldestNeeded = watchersThen == 0 ? Long.MAX_VALUE : view.revision() + 1;
    } finally {
      epoch.leave();
    }
    if (any) {
      handedOut = loop.ticker().nanoTime();
    }
  }

  private void note(Watcher watcher) {
    if (wants(watcher, record)) {
      if (watcher.pending.isEmpty()) {
        touched.add(watcher);
        watcher.position = position;
      }
      if (watcher.pending.size() < MOST_PENDING) {
        watcher.pending.addLong(record);
      }
    }
  }

  private boolean wants(Watcher watcher, long event) {
    return Records.modRevision(memory, event) >= watcher.minRevision
        && !(Records.isTombstone(memory, event) ? watcher.noDelete : watcher.noPut);
  }

  /** Sends what is pending; a client that is slow gets it when it has caught up. */
  private void deliver(Watcher watcher) {
    boolean isAll = watcher.pending.size() < MOST_PENDING;
    int sent = isAll && watcher.stream.isWritable() ? sender.events(watcher, view.revision()) : 0;
    sentEvents.add(sent);
    if (!isAll) {
      loop.execute(() -> catchUp(watcher));
    }
    if (sent < watcher.pending.size()) {
      synced.remove(watcher);
      watcher.synced = false;
      slow.add(watcher);
      goBackTo(watcher, view, watcher.pending.getLong(sent));
    }
    watcher.clearPending();
  }

  /** Has a watcher that catches up begin again with the revision of an event. */
  private void goBackTo(Watcher watcher, View now, long event) {
    watcher.position = reader.firstEventFrom(now, Records.modRevision(memory, event));
  }

  /** Adds a watcher, which was told that it was created. */
  void add(Watcher watcher) {
    watchers++;
    byKind.merge(kind(watcher), 1, Integer::sum);
    if (watcher.minRevision > view.revision()) {
      watcher.synced = true;
      synced.add(watcher);
      return;
    }
    watcher.synced = false;
    slow.add(watcher);
    epoch.enter();
    try {
      View now = keyspace.view();
      watcher.position = start(watcher, now);
    } finally {
      epoch.leave();
    }
    catchUp(watcher);
  }

  /** Position at which a watcher starts that starts in the past; -1 if that was compacted away. */
  private long start(Watcher watcher, View now) {
    if (watcher.minRevision < now.historyStart(watcher.range)) {
      return -1;
    }
    long first = reader.firstEventFrom(now, watcher.minRevision);
    if (watcher.prevKv && watcher.minRevision == now.compactedRevision()) {
      // The versions before the events of the compacted revision can no longer be asked for, and
      // kube-apiserver's tests want an error, which it takes for a reason to list again.
      for (long at = first; at < now.events(); at++) {
        long event = reader.event(at);
        if (AddressLog.revision(memory, event) != watcher.minRevision) {
          break;
        }
        if (!AddressLog.isForgotten(event)
            && watcher.range.contains(memory, event)
            && !isCreation(memory, event)) {
          return -1;
        }
      }
    }
    return first;
  }

  void remove(Watcher watcher) {
    if (watcher.synced) {
      synced.remove(watcher);
    }
    slow.remove(watcher);
    byKind.computeIfPresent(kind(watcher), (name, count) -> count == 1 ? null : count - 1);
    if (--watchers == 0) {
      oldestNeeded = Long.MAX_VALUE;
    }
  }

  /** Brings a watcher forward, and to those that keep up when nothing is left to be shown. */
  void catchUp(Watcher watcher) {
    if (watcher.synced || !watcher.stream.has(watcher) || !watcher.stream.isWritable()) {
      return;
    }
    epoch.enter();
    try {
      View now = keyspace.view();
      if (isBehind(watcher, now)) {
        watcher.stream.compacted(watcher, now.historyStart(watcher.range));
        return;
      }
      // Not beyond the others: what comes then reaches all of them in one way.
      long end = Math.min(position, watcher.position + EVENTS_PER_TURN);
      long shown = view.revision();
      long bytes = 0;
      for (long at = watcher.position; at < end; at++) {
        long event = reader.event(at);
        if (isFor(watcher, event)) {
          watcher.pending.addLong(event);
          bytes += Records.keyValueBytes(memory, event);
          if (bytes > BYTES_PER_TURN) {
            end = at + 1;
          }
        }
      }
      if (end < position) {
        end = wholeRevision(watcher, end);
        shown = AddressLog.revision(memory, reader.event(end - 1));
      }
      watcher.position = end;
      if (!watcher.pending.isEmpty()) {
        int sent = sender.events(watcher, shown);
        sentEvents.add(sent);
        if (sent < watcher.pending.size()) {
          goBackTo(watcher, now, watcher.pending.getLong(sent));
        }
      }
    } finally {
      watcher.clearPending();
      epoch.leave();
    }
    if (watcher.position == position) {
      watcher.synced = true;
      slow.remove(watcher);
      synced.add(watcher);
    } else {
      loop.execute(() -> catchUp(watcher));
    }
  }

  /** Whether an event that a watcher has not seen may be gone. */
  private boolean isBehind(Watcher watcher, View now) {
    if (watcher.position < now.firstEvent()) {
      return true;
    }
    // Events of keys with a history window go from there, not from the compacted revision on.
    long start = now.starts().of(watcher.range);
    return start != HistoryStarts.NOT_YET
        && watcher.position < now.events()
        && AddressLog.revision(memory, reader.event(watcher.position)) < start;
  }

  private boolean isFor(Watcher watcher, long event) {
    return !AddressLog.isForgotten(event)
        && watcher.range.contains(memory, event)
        && wants(watcher, event);
  }

  /** Goes on to the end of the revision that a piece ends in, so that it is not split. */
  private long wholeRevision(Watcher watcher, long end) {
    long last = AddressLog.revision(memory, reader.event(end - 1));
    long at = end;
    while (at < position && AddressLog.revision(memory, reader.event(at)) == last) {
      long event = reader.event(at++);
      if (isFor(watcher, event)) {
        watcher.pending.addLong(event);
      }
    }
    return at;
  }

  /** Whether an event is the first of its key, of which there is no version before. */
  static boolean isCreation(MemorySegment memory, long event) {
    return !Records.isTombstone(memory, event)
        && KeyValues.createRevision(memory, event) == Records.modRevision(memory, event);
  }
}
