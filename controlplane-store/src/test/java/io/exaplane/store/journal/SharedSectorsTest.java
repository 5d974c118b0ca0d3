// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.Life.Seen;
import io.exaplane.store.journal.Segment.Reading;
import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A sector of the log that is lost takes one acknowledged frame at most without a word: the last
 * one of a store that was killed, which looks torn.
 */
class SharedSectorsTest {
  private static final int SECTOR = LogFrames.SECTOR_BYTES;
  private static final int SEGMENT_BYTES = 64 << 10;
  private static final int SALT = 42;
  private static final int FRAMES = 12;
  private static final int MOST_ENTRIES = 90;

  private final Entries entries = new Entries();
  private final SimulatedStorage disk = new SimulatedStorage(new Random(1));

  static LongStream seeds() {
    return Seeds.of(40);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatComesBehindADurableFrameSharesNoSectorWithIt(long seed) throws Exception {
    Random random = new Random(seed);
    List<Boolean> durable = new ArrayList<>();
    LogWriter log =
        new LogWriter(disk, MemberIds.NONE, 0, LogReader.NONE, SEGMENT_BYTES, 0, random::nextLong);
    for (int i = 0; i < FRAMES; i++) {
      durable.add(random.nextBoolean());
      fill(i, random.nextInt(MOST_ENTRIES));
      log.append(entries, durable.getLast());
    }
    try (Segment segment = Segment.open(disk, LogReader.segments(disk).getFirst())) {
      long at = segment.start();
      for (int i = 0; i < FRAMES; i++) {
        Reading frame = segment.read(at, i);
        at += frame.size();
        if (durable.get(i)) {
          assertThat(at % SECTOR).as("end of frame %d", i).isZero();
        }
        assertThat(new FrameText().of(frame.payload()))
            .endsWith("1 notes of leases and compactions");
      }
    }
  }

  /** Writes that are smaller than a sector, of a store that is killed. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void atMostTheLastOfSmallWritesLooksTorn(long seed) throws Exception {
    Random random = new Random(seed);
    List<Seen> acknowledged = new ArrayList<>();
    try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
      acknowledged.add(store.seen());
      for (int i = 0; i < FRAMES; i++) {
        byte[] key = {'/', (byte) ('a' + random.nextInt(3))};
        byte[] value = new byte[random.nextInt(100)];
        store.keyspace.put(key, 0, key.length, value, 0, value.length, 0);
        store.keyspace.commit();
        store.journal.commit();
        store.keyspace.publish();
        acknowledged.add(store.seen());
      }
    }
    for (String name : LogReader.segments(disk)) {
      for (int at = 0; at < disk.bytes(name).length; at += SECTOR) {
        SimulatedStorage damaged = disk.copy();
        Arrays.fill(damaged.bytes(name), at, at + SECTOR, (byte) 0);
        try (Life store = new Life(damaged, KeyClasses.plain(), 0)) {
          assertThat(store.seen())
              .as("%s without the sector at %d", name, at)
              .isIn(acknowledged.get(FRAMES), acknowledged.get(FRAMES - 1));
        } catch (CorruptJournalException e) {
          assertThat(e).hasMessageContaining("is damaged at byte");
        }
      }
    }
  }

  /**
   * Stores of before let frames share sectors: what lies behind a frame shows that it was whole.
   */
  @Test
  void inSegmentsOfBeforeWhatLiesBehindAFrameTells() throws Exception {
    long[] seeds = seeds().toArray();
    int shared = 0;
    for (long seed : seeds) {
      shared += sharesASector(seed) ? 1 : 0;
    }
    System.out.printf("a sector of two frames was lost in %d of %d logs%n", shared, seeds.length);
    assertThat(seeds.length == 1 || shared >= seeds.length / 10).as("%d logs", shared).isTrue();
  }

  /** Whether a sector could be lost that has the end of a frame, and the begin of the next one. */
  private boolean sharesASector(long seed) throws Exception {
    Random random = new Random(seed);
    List<ByteBuffer> frames = new ArrayList<>();
    long at = MarkedSegment.START;
    for (int i = 0; i < FRAMES; i++) {
      fill(i, random.nextInt(MOST_ENTRIES));
      ByteBuffer frame = unfilled(i, at);
      frames.add(frame);
      at += frame.remaining();
    }
    write(frames, frames.size());
    assertThat(read()).as("seed %d", seed).isEqualTo(FRAMES);
    int last = FRAMES - 1;
    long end = at;
    long lastAt = end - frames.get(last).remaining();
    long lost = lastAt & -SECTOR;
    long before = lastAt - frames.get(last - 1).remaining();
    boolean isShared = before < lost && lost < lastAt && end > lost + SECTOR;
    if (isShared) {
      String name = LogReader.segments(disk).getFirst();
      Arrays.fill(disk.bytes(name), (int) lost, (int) lost + SECTOR, (byte) 0);
      assertThatThrownBy(this::read)
          .as("seed %d", seed)
          .isInstanceOf(CorruptJournalException.class)
          .hasMessageContaining("is damaged at byte " + before)
          .hasMessageContaining("frame %d was written to its end".formatted(last - 1));
    }
    // A frame behind which there is nothing may be one that was never written to its end.
    write(frames, last);
    String name = LogReader.segments(disk).getFirst();
    Arrays.fill(disk.bytes(name), (int) (lastAt - 1 & -SECTOR), (int) lastAt, (byte) 0);
    // The last frame is whole if only its padding was in the sector.
    assertThat(read()).as("seed %d", seed).isLessThanOrEqualTo(last);
    return isShared;
  }

  private void fill(long number, int more) {
    entries.clear();
    entries.revision(number);
    for (int i = 0; i < more; i++) {
      entries.sub(i);
    }
  }

  /** The frame as stores of before sealed it: no byte longer than its content. */
  private ByteBuffer unfilled(long sequence, long at) {
    ByteBuffer weak = entries.seal(sequence, false, sequence - 1, SALT, at);
    LogFrames.xor(weak, weak.getLong(16));
    int payloadBytes = weak.getInt(0);
    ByteBuffer content = ByteBuffer.allocate(LogFrames.size(payloadBytes));
    content.put(0, weak, 0, LogFrames.HEADER_BYTES + payloadBytes);
    content.put(LogFrames.HEADER_BYTES, Entries.DURABLE);
    content.position(LogFrames.HEADER_BYTES + payloadBytes);
    ByteBuffer sealed = new LogFrames().seal(content, sequence, true, SALT, at);
    return ByteBuffer.allocate(sealed.limit()).put(sealed.rewind()).flip();
  }

  private void write(List<ByteBuffer> frames, int count) throws IOException {
    LogReader.segments(disk).forEach(disk::wipe);
    try (StoredFile segment = MarkedSegment.create(disk, MemberIds.NONE, 0, SEGMENT_BYTES, SALT)) {
      long at = MarkedSegment.START;
      for (ByteBuffer frame : frames.subList(0, count)) {
        segment.write(at, frame.duplicate());
        at += frame.remaining();
      }
    }
  }

  /** Number of the frame that comes next. */
  private long read() throws IOException {
    return new LogReader(disk, false, 0).read(0, _ -> {});
  }
}
