// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.HistoryStarts;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.View;
import io.exaplane.store.core.lease.LeaseState;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Snapshots of the store: leases, what every key was before the oldest revision that can be asked
 * for, then all versions since, in their order. A snapshot is named after the first frame of the
 * log that is not in it. Written while the store works; for one thread at a time. Keys that are to
 * be in memory only are not in it: the next start would bring back some that were deleted.
 */
final class Snapshots {
  static final String PREFIX = "snapshot-";
  private static final String PARTIAL = "snapshot.partial";
  private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9]{" + Frames.DIGITS + "}");
  private static final int FRAME_BYTES = 1 << 20;

  private final Storage storage;
  private final MemberIds ids;
  private final Keyspace keyspace;
  private final RevisionPins pins;
  private final EpochReclaimer.Reader epoch;
  private final RangeReader reader;
  private final Entries entries = new Entries();
  private long lastRevision;
  private int lastSub;
  private volatile boolean stopped;
  private long newest;

  /**
   * @param ids of the store
   * @param newest number of the first frame that is not in the snapshot from which the store
   *     started; 0 for none
   */
  Snapshots(Storage storage, MemberIds ids, Keyspace keyspace, RevisionPins pins, long newest) {
    this.ids = ids;
    this.newest = newest;
    this.storage = storage;
    this.keyspace = keyspace;
    this.pins = pins;
    this.epoch = keyspace.reclaimer().newReader();
    this.reader = new RangeReader(keyspace);
  }

  /** Names of the snapshots, the newest last. */
  static List<String> names(Storage storage) throws IOException {
    return new ArrayList<>(storage.list().stream().filter(Snapshots::isSnapshot).toList());
  }

  /** Reads a snapshot into a store. */
  static void read(Storage storage, String name, Replay replay) throws IOException {
    forEachFrame(
        storage,
        name,
        payload -> {
          if (replay.ended()) {
            throw new CorruptJournalException(name, 0, "the snapshot has records after its end");
          }
          replay.apply(payload);
        });
    if (!replay.ended()) {
      throw new CorruptJournalException(name, 0, "the snapshot ends before its end");
    }
  }

  /**
   * The id of the cluster whose store wrote a snapshot: where a frame of the log has the number of
   * the last durable one, by which nobody goes in a snapshot. Stores of before wrote the number of
   * the frame before it there.
   *
   * @return 0 if the snapshot does not tell, or is damaged
   */
  static long writtenBy(Storage storage, String name) throws IOException {
    try (StoredFile file = storage.open(name)) {
      ByteBuffer payload = new FrameReader().read(file, file.size(), 0, 0);
      boolean tells = payload != null && payload.remaining() > 1 + Long.BYTES;
      return tells ? Math.max(0, payload.getLong(payload.position() + 1)) : 0;
    }
  }

  private interface FrameConsumer {
    void accept(ByteBuffer payload) throws IOException;
  }

  private static void forEachFrame(Storage storage, String name, FrameConsumer consumer)
      throws IOException {
    try (StoredFile file = storage.open(name)) {
      FrameReader frames = new FrameReader();
      long bytes = file.size();
      long at = 0;
      for (long sequence = 0; at < bytes; sequence++) {
        ByteBuffer payload = frames.read(file, bytes, at, sequence);
        if (payload == null) {
          throw new CorruptJournalException(
              name, at, "frame %d is not the one that was written".formatted(sequence));
        }
        at += Frames.size(payload.remaining());
        payload.position(payload.position() + 1 + Long.BYTES); // all of them are durable
        consumer.accept(payload);
      }
    }
  }

  private static String name(long firstSequence) {
    return PREFIX + "%020d".formatted(firstSequence);
  }

  static boolean isSnapshot(String name) {
    return NAME.matcher(name).matches();
  }

  /** Number of the first frame that is not in the snapshot of that name. */
  static long firstSequence(String name) {
    return Long.parseLong(name.substring(PREFIX.length()));
  }

  /**
   * What a snapshot is made of: the store between two frames of the log. Taken by the writer.
   *
   * @param nextSequence the first frame that comes after
   */
  record Plan(View view, List<LeaseState> leases, long nowMs, long nextSequence) {}

  /**
   * Writes a snapshot and reads it back. The one before stays, with the log since then, in case the
   * new one is damaged some time; what is older is deleted.
   */
  void write(Plan plan) throws IOException {
    String name = writeFile(plan);
    try {
      requireReadable(storage, name);
    } catch (IOException e) {
      storage.delete(name);
      throw e;
    }
    synchronized (this) {
      deleteBefore(newest, name);
      newest = plan.nextSequence();
    }
  }

  /** Reads a snapshot as a start would, to no end. */
  static void requireReadable(Storage storage, String name) throws IOException {
    byte[] last = {0};
    forEachFrame(storage, name, payload -> last[0] = payload.get(payload.limit() - 1));
    if (last[0] != Entries.END) {
      throw new CorruptJournalException(name, 0, "the snapshot ends before its end");
    }
  }

  /**
   * Deletes the snapshot before the newest, and the log between them. By any thread.
   *
   * @return whether there was something to delete
   */
  synchronized boolean deleteSpare() throws IOException {
    int files = storage.list().size();
    deleteBefore(newest, name(newest));
    return storage.list().size() < files;
  }

  /** Writes a snapshot and returns its name. */
  String writeFile(Plan plan) throws IOException {
    long oldest = Math.max(0, plan.view().compactedRevision());
    boolean written = false;
    try (StoredFile file = storage.create(PARTIAL, 0)) {
      Output out = new Output(file);
      if (!plan.leases().isEmpty()) {
        entries.passed(plan.nowMs());
      }
      for (LeaseState lease : plan.leases()) {
        entries.lease(lease.id(), lease.ttlSeconds(), lease.deadlineMs());
        out.frameIfFull();
      }
      base(plan.view(), oldest, out);
      versions(plan.view(), oldest, out);
      entries.compacted(plan.view().compactedRevision());
      entries.revision(plan.view().revision());
      if (plan.view().starts().newest() != HistoryStarts.NOT_YET) {
        entries.historyStarts(plan.view().starts().byPrefix());
      }
      entries.end();
      out.frame();
      file.force();
      written = true;
    } finally {
      if (!written) {
        storage.delete(PARTIAL);
      }
      entries.clear();
      pins.unpin(pinned(plan));
    }
    String name = name(plan.nextSequence());
    storage.rename(PARTIAL, name);
    return name;
  }

  /**
   * The revision that must stay readable until the snapshot is written; pinned by the writer. What
   * keys were just before it stays, too: it is what the first events show as before.
   */
  static long pinned(Plan plan) {
    return Math.max(0, plan.view().compactedRevision());
  }

  /** Deletes what a snapshot left that was not written to its end. */
  static void deletePartial(Storage storage) throws IOException {
    if (storage.list().contains(PARTIAL)) {
      storage.delete(PARTIAL);
    }
  }

  /** Has a snapshot that is under way end without a result. By any thread. */
  void stop() {
    stopped = true;
  }

  private void requireGoingOn() throws IOException {
    if (stopped) {
      throw new IOException("the store is stopping");
    }
  }

  private void base(View view, long oldest, Output out) throws IOException {
    KeyRange range = KeyRange.all();
    while (range != null && view.wholeSince() > 0) {
      epoch.enter();
      try {
        // Today's tree: it still has every key that was there just before the pinned revision.
        reader.openBefore(keyspace.view(), view.starts(), range, oldest);
        long record = reader.next();
        while (record != 0 && entries.bytes() < FRAME_BYTES) {
          if (!keyspace.space().isInMemoryOnly(record)) {
            entries.base(keyspace.memory(), record);
          }
          record = reader.next();
        }
        range =
            record == 0
                ? null
                : KeyRange.of(Records.copyKey(keyspace.memory(), record), new byte[1]);
        reader.close();
      } finally {
        epoch.leave();
      }
      out.frameIfFull();
    }
  }

  private void versions(View view, long oldest, Output out) throws IOException {
    long position;
    epoch.enter();
    try {
      position = reader.firstEventFrom(keyspace.view(), oldest);
    } finally {
      epoch.leave();
    }
    lastRevision = 0;
    while (position < view.events()) {
      epoch.enter();
      try {
        while (position < view.events() && entries.bytes() < FRAME_BYTES) {
          version(view, reader.event(position++));
        }
      } finally {
        epoch.leave();
      }
      out.frameIfFull();
    }
  }

  private void version(View view, long event) {
    if (!reader.isKept(view.starts(), event) || keyspace.space().isInMemoryOnly(event)) {
      return;
    }
    long revision = Records.modRevision(keyspace.memory(), event);
    int sub = Records.sub(keyspace.memory(), event);
    if (sub != (revision == lastRevision ? lastSub + 1 : 0)) {
      entries.sub(sub);
    }
    entries.version(keyspace.memory(), event);
    lastRevision = revision;
    lastSub = sub;
  }

  /** Deletes what nobody needs who has a snapshot, or another one and the log since the number. */
  private void deleteBefore(long number, String snapshot) throws IOException {
    // Whose number is 0 has no snapshot: all of the log stays.
    List<String> segments = LogReader.segments(storage);
    for (int i = 0; i + 1 < segments.size(); i++) {
      if (Segment.firstSequence(segments.get(i + 1)) <= number) {
        storage.delete(segments.get(i));
      }
    }
    for (String name : names(storage)) {
      if (!name.equals(snapshot) && !name.equals(name(number))) {
        storage.delete(name);
      }
    }
  }

  private final class Output {
    private final StoredFile file;
    private long position;
    private long sequence;

    Output(StoredFile file) {
      this.file = file;
    }

    void frameIfFull() throws IOException {
      requireGoingOn();
      if (entries.bytes() >= FRAME_BYTES) {
        frame();
      }
    }

    void frame() throws IOException {
      long mark = ids.isKnown() ? ids.clusterId() : sequence - 1;
      ByteBuffer frame = entries.sealPlain(sequence++, mark);
      int bytes = frame.remaining();
      file.write(position, frame);
      position += bytes;
      entries.clear();
    }
  }
}
