// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.core.request.Slice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What an etcd's log says (server/storage/wal), as far as somebody needs to know who starts another
 * etcd on it, or reads its backend file.
 *
 * @param segments its files, in order; none if there is no log
 * @param firstIndex number of the first entry that the log may hold
 * @param lastIndex number of the last entry; 0 without one
 * @param snapshotIndex number of the last entry that a snapshot holds, by its name or by the log
 * @param memberId of the member whose log it is; 0 if nothing says so
 * @param oldRequests entries behind the last snapshot that are requests as etcd 3.5 writes them:
 *     etcd 3.7 reads those entries when it starts, and ends on such a one
 * @param keysOfVersion2 writes of keys by the API of version 2 behind the last snapshot
 * @param headless the first segment that lacks what etcd writes into each before it counts
 * @param endsInRoom whether there is room behind the last entry, as etcd gives it to the last
 *     segment
 */
record EtcdLog(
    List<Path> segments,
    long firstIndex,
    long lastIndex,
    long snapshotIndex,
    long memberId,
    int oldRequests,
    int keysOfVersion2,
    Optional<Path> headless,
    boolean endsInRoom) {
  /** The size that etcd gives a segment; a larger one ends where the next one begins. */
  private static final long SEGMENT_BYTES = 64_000_000;

  /** Of a request of version 2 its method, of one of version 3 what no later etcd writes. */
  private static final int OLD_FIELD = 2;

  private static final int PATH_FIELD = 3;
  private static final Set<String> WRITES = Set.of("PUT", "POST");

  /** Below it are keys of users; etcd's own are beside. */
  private static final String KEYS_OF_VERSION_2 = "/1/";

  private static final int HEXADECIMAL = 16;
  private static final String SEGMENT = "[0-9a-f]{16}-[0-9a-f]{16}\\.wal";

  /**
   * Reads a log.
   *
   * @param snapshots folder of snapshots
   * @param wal folder of the log's segments
   * @throws IOException if a segment is missing or damaged
   */
  static EtcdLog of(Path snapshots, Path wal) throws IOException {
    Reading reading = new Reading(lastSnapshot(snapshots));
    List<Path> segments = files(wal, ".wal").stream().filter(EtcdLog::isSegment).toList();
    requireInOrder(segments);
    LogFrames frames = new LogFrames(reading::frame);
    frames.read(segments);
    return new EtcdLog(
        segments,
        segments.isEmpty() ? 0 : number(segments.getFirst(), 17),
        reading.lastIndex,
        Math.max(reading.snapshotIndex, reading.snapshotOfLog),
        reading.memberId,
        reading.oldRequests,
        reading.keysOfVersion2,
        Optional.ofNullable(frames.headless()),
        frames.endsInRoom());
  }

  /**
   * Whether etcd itself may have left the last segment without room: it cut off an entry that was
   * torn by a loss of power, kept a copy, and went on behind.
   *
   * @throws IOException if the size can't be read
   */
  boolean mayLackRoom() throws IOException {
    Path last = segments.getLast();
    return Files.size(last) < SEGMENT_BYTES
        && Files.exists(last.resolveSibling(name(last) + ".broken"));
  }

  /** Whether a folder has a segment of a log. */
  static boolean isIn(Path wal) throws IOException {
    return files(wal, ".wal").stream().anyMatch(EtcdLog::isSegment);
  }

  /** The newest snapshot; null if there is none. */
  static Path newestSnapshot(Path folder) throws IOException {
    List<Path> snapshots =
        files(folder, ".snap").stream()
            .filter(file -> name(file).matches("[0-9a-f]{16}-[0-9a-f]{16}\\.snap"))
            .toList();
    return snapshots.isEmpty() ? null : snapshots.getLast();
  }

  /** Number of the last entry that a snapshot holds, by its name: term and index. */
  private static long lastSnapshot(Path folder) throws IOException {
    Path newest = newestSnapshot(folder);
    return newest == null ? 0 : number(newest, 17);
  }

  private static List<Path> files(Path folder, String suffix) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  private static boolean isSegment(Path file) {
    return name(file).matches(SEGMENT);
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private static long number(Path file, int at) {
    return Long.parseUnsignedLong(name(file).substring(at, at + HEXADECIMAL), HEXADECIMAL);
  }

  private static void requireInOrder(List<Path> segments) throws IOException {
    for (int i = 1; i < segments.size(); i++) {
      Path before = segments.get(i - 1);
      if (number(segments.get(i), 0) != number(before, 0) + 1) {
        throw new IOException(
            "between %s and %s, a segment of the log is missing; put the segment back, or restore a backup"
                .formatted(before, name(segments.get(i))));
      }
    }
  }

  private static final class Reading {
    private final long snapshotIndex;
    private final ProtoReader in = new ProtoReader();
    private long memberId;
    private long lastIndex;
    private long snapshotOfLog;
    private int oldRequests;
    private int keysOfVersion2;

    Reading(long snapshotIndex) {
      this.snapshotIndex = snapshotIndex;
    }

    void frame(long type, Slice data) {
      if (type == LogFrames.ENTRY) {
        entry(data);
      } else if (type == LogFrames.METADATA && data.length() > 0) {
        memberId = open(data).numberOf(1);
      } else if (type == LogFrames.SNAPSHOT) {
        snapshotOfLog = Math.max(snapshotOfLog, open(data).numberOf(1));
      }
    }

    private ProtoReader open(Slice data) {
      return in.open(data.array(), data.offset(), data.length());
    }

    private void entry(Slice entry) {
      open(entry);
      long before = lastIndex;
      long type = 0;
      Slice data = new Slice();
      for (int field = in.field(); field != 0; field = in.field()) {
        switch (field) {
          case 1 -> type = in.number();
          case 3 -> lastIndex = in.number();
          case 4 -> in.bytes(data);
          default -> in.skip();
        }
      }
      // Behind a snapshot that the member was sent, the log goes on.
      if (before > 0 && lastIndex > Math.max(before, snapshotOfLog) + 1) {
        throw new IllegalStateException("entry %d follows entry %d".formatted(lastIndex, before));
      }
      if (type == 0 && lastIndex > snapshotIndex && isOld(data)) {
        oldRequests++;
        keysOfVersion2 += writesKey(data) ? 1 : 0;
      }
    }

    private boolean isOld(Slice data) {
      open(data);
      for (int field = in.field(); field != 0; field = in.field()) {
        if (field == OLD_FIELD) {
          return true;
        }
        in.skip();
      }
      return false;
    }

    /** The request itself, or one inside a request of version 3. */
    private boolean writesKey(Slice data) {
      open(data);
      Slice method = new Slice();
      Slice path = new Slice();
      try {
        for (int field = in.field(); field != 0; field = in.field()) {
          switch (field) {
            case OLD_FIELD -> in.bytes(method);
            case PATH_FIELD -> in.bytes(path);
            default -> in.skip();
          }
        }
      } catch (RuntimeException e) {
        return false; // only what could be read is asked for
      }
      if (path.length() > 0) {
        return WRITES.contains(text(method)) && text(path).startsWith(KEYS_OF_VERSION_2);
      }
      return method.length() > 0 && isNested(method) && writesKey(method);
    }

    /** A method is text; a request begins with the number of a field that no letter is. */
    private static boolean isNested(Slice method) {
      byte first = method.array()[method.offset()];
      return first < 'A' || first > 'Z';
    }

    private static String text(Slice slice) {
      return new String(slice.copy());
    }
  }
}
