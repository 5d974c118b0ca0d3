// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.history.AddressLog;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;

/**
 * Reads what another thread writes, in all the ways in which the store does, and compares all of it
 * with the script: keys, ranges and counts at any revision that can be asked for, long reads over
 * several epochs, events, and a follower that keeps up. One thread.
 */
final class SharedReader {
  private static final int WINDOW = 1;
  private static final int MOST_KEYS = 60;
  private static final int MOST_EVENTS = 200;

  private final Keyspace keyspace;
  private final MemorySegment memory;
  private final RevisionPins pins;
  private final ScriptedHistory history;
  private final boolean follows;
  private final Random random;
  private final EpochReclaimer.Reader epoch;
  private final RangeReader reader;
  private long followed;
  private long pinned;
  private volatile long oldestNeeded;
  private volatile long passes;

  /**
   * @param follows whether it holds up cleaning until it has seen the events, as a watch does
   */
  SharedReader(
      Keyspace keyspace,
      RevisionPins pins,
      ScriptedHistory history,
      boolean follows,
      Random random) {
    this.keyspace = keyspace;
    this.memory = keyspace.memory;
    this.pins = pins;
    this.history = history;
    this.random = random;
    this.epoch = keyspace.reclaimer().newReader();
    this.reader = new RangeReader(keyspace);
    this.follows = follows;
    this.oldestNeeded = follows ? keyspace.view().revision() + 1 : Long.MAX_VALUE;
  }

  /** As the store's writer asks. */
  static long oldestNeeded(RevisionPins pins, List<SharedReader> readers) {
    long oldest = pins.oldest();
    for (SharedReader each : readers) {
      oldest = Math.min(oldest, each.oldestNeeded);
    }
    return oldest;
  }

  /** How often it has read. By any thread. */
  long passes() {
    return passes;
  }

  /** Reads once. */
  void pass() {
    switch (random.nextInt(5)) {
      case 0 -> inEpoch(this::singles);
      case 1 -> inEpoch(view -> range(view, revision(view)));
      case 2 -> inEpoch(this::count);
      case 3 -> inEpoch(this::events);
      default -> longRead();
    }
    if (follows) {
      inEpoch(this::follow);
    }
    passes++;
  }

  /** Holds up nothing any more. */
  void close() {
    unpin();
    oldestNeeded = Long.MAX_VALUE;
  }

  private interface Read {
    void read(View view);
  }

  private void inEpoch(Read read) {
    epoch.enter();
    try {
      read.read(keyspace.view());
    } finally {
      epoch.leave();
    }
  }

  /** Any revision at which all keys can be asked for, often the newest. */
  private long revision(View view) {
    long oldest = Math.max(Keyspace.FIRST_REVISION, view.wholeSince());
    return random.nextInt(3) == 0
        ? view.revision()
        : oldest + random.nextLong(view.revision() - oldest + 1);
  }

  private void singles(View view) {
    long revision = revision(view);
    for (int i = 0; i < 10; i++) {
      int id = random.nextInt(random.nextBoolean() ? history.often : history.size());
      byte[] key = history.key(id);
      checkVersion(id, revision, reader.find(key, 0, key.length, revision));
    }
  }

  /** Some keys that follow each other. */
  private void range(View view, long revision) {
    int first = random.nextInt(history.size());
    int last = Math.min(history.size() - 1, first + random.nextInt(MOST_KEYS));
    reader.open(view, range(first, last), revision);
    for (int rank = first; rank < last; rank++) {
      int id = history.atRank(rank);
      if (history.version(id, revision) != 0) {
        checkVersion(id, revision, reader.next());
      }
    }
    expect("behind the last key at", revision, reader.next(), 0);
    reader.close();
  }

  private KeyRange range(int first, int last) {
    return KeyRange.of(history.key(history.atRank(first)), history.key(history.atRank(last)));
  }

  private void count(View view) {
    long revision = revision(view);
    int first = random.nextInt(history.size());
    int last = Math.min(history.size() - 1, first + random.nextInt(2 * MOST_KEYS));
    long live = 0;
    for (int rank = first; rank < last; rank++) {
      live += history.version(history.atRank(rank), revision) != 0 ? 1 : 0;
    }
    expect("keys at", revision, reader.count(view, range(first, last), revision), live);
  }

  /** A revision stays whole while others compact it; it is read now and then. */
  private void longRead() {
    if (pinned == 0) {
      inEpoch(
          view -> {
            pinned = revision(view);
            pins.pin(pinned);
          });
    }
    inEpoch(view -> range(view, pinned));
    if (random.nextInt(20) == 0) {
      unpin();
    }
  }

  private void unpin() {
    if (pinned != 0) {
      pins.unpin(pinned);
      pinned = 0;
    }
  }

  private void events(View view) {
    long from = revision(view);
    long position = reader.firstEventFrom(view, from);
    expect("events from", from, position, positionOf(from));
    long end = Math.min(view.events(), position + MOST_EVENTS);
    for (; position < end; position++) {
      checkEvent(view, position);
    }
  }

  private static long positionOf(long revision) {
    return Math.max(0, revision - ScriptedHistory.FIRST) * ScriptedHistory.EVENTS_PER_REVISION;
  }

  /** As the watches that keep up: the position outlives the epoch. */
  private void follow(View view) {
    long shown = view.revision();
    expect("events up to", shown, view.events(), positionOf(shown + 1));
    // None of the older ones can be asked for by a follower that begins now.
    followed = Math.max(followed, positionOf(oldestNeeded));
    for (; followed < view.events(); followed++) {
      checkEvent(view, followed);
    }
    oldestNeeded = view.revision() + 1;
  }

  private void checkEvent(View view, long position) {
    long revision = ScriptedHistory.FIRST + position / ScriptedHistory.EVENTS_PER_REVISION;
    int sub = (int) (position % ScriptedHistory.EVENTS_PER_REVISION);
    int id = history.changed(revision, sub);
    long event = reader.event(position);
    expect("revision of the event", position, AddressLog.revision(memory, event), revision);
    if (AddressLog.isForgotten(event)) {
      expect("whether its key has a window: event", position, id < history.often, true);
      expect("forgotten: event", position, revision < view.starts().of(WINDOW), true);
      return;
    }
    expect("place of the event", position, Records.sub(memory, event), sub);
    expect("key of the event", position, hasKey(event, id), true);
    expect("deletion", position, Records.isTombstone(memory, event), history.deletes(id, revision));
    if (revision >= view.wholeSince()) {
      checkVersion(id, revision - 1, reader.before(event));
    }
  }

  private void checkVersion(int id, long revision, long record) {
    long version = history.version(id, revision);
    expect("there: key", id, record != 0, version != 0);
    if (record != 0) {
      expect("version of key", id, Records.modRevision(memory, record), version);
      expect("key", id, hasKey(record, id), true);
      long created = history.created(id, version);
      expect("creation of key", id, KeyValues.createRevision(memory, record), created);
      long number = history.number(id, version);
      expect("number of versions of key", id, KeyValues.version(memory, record), number);
      byte[] value = history.value(id, version);
      int differs = KeyValues.compareValue(memory, record, value, 0, value.length);
      expect("value of key", id, differs, 0);
    }
  }

  private boolean hasKey(long record, int id) {
    byte[] key = history.key(id);
    return Records.hasKey(memory, record, key, 0, key.length);
  }

  private static void expect(String what, long which, boolean found, boolean wanted) {
    expect(what, which, found ? 1 : 0, wanted ? 1 : 0);
  }

  /** AssertJ would take most of the time, in which nobody reads. */
  private static void expect(String what, long which, long found, long wanted) {
    if (found != wanted) {
      throw new AssertionError("%s %d: %d instead of %d".formatted(what, which, found, wanted));
    }
  }
}
