// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A frame that is durable is so with all before it, whichever segments these are in. */
class LogWriterTest {
  private static final int SEGMENT_BYTES = 4096;
  private static final int MOST_FRAMES = 100;

  private final Entries entries = new Entries();

  static LongStream seeds() {
    return Seeds.of(60);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void allBeforeADurableFrameIsDurable(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedStorage disk = new SimulatedStorage(random);
    LogWriter log =
        new LogWriter(disk, MemberIds.NONE, 0, LogReader.NONE, SEGMENT_BYTES, 0, random::nextLong);
    int frames = random.nextInt(1, MOST_FRAMES);
    boolean refuses = random.nextBoolean();
    for (int i = 0; i < frames; i++) {
      if (refuses && random.nextInt(10) == 0) {
        disk.refuse(1);
      }
      append(log, i, random.nextInt(20) == 0);
    }
    append(log, frames, true);
    disk.restart(true);
    assertThat(read(disk)).isEqualTo(LongStream.rangeClosed(0, frames).boxed().toList());
  }

  /** So it is when a segment is ended for a snapshot. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void allBeforeTheEndOfASegmentIsDurable(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedStorage disk = new SimulatedStorage(random);
    LogWriter log =
        new LogWriter(disk, MemberIds.NONE, 0, LogReader.NONE, SEGMENT_BYTES, 0, random::nextLong);
    int frames = random.nextInt(1, MOST_FRAMES);
    for (int i = 0; i < frames; i++) {
      if (random.nextInt(10) == 0) {
        disk.refuse(1);
      }
      append(log, i, false);
    }
    log.endSegment();
    disk.restart(true);
    assertThat(read(disk)).isEqualTo(LongStream.range(0, frames).boxed().toList());
  }

  /** Until it is done. */
  private void append(LogWriter log, long number, boolean durable) {
    entries.clear();
    entries.revision(number);
    for (int i = 0; i < 20; i++) {
      entries.leaseEnded(i);
    }
    for (boolean done = false; !done; ) {
      try {
        log.append(entries, durable);
        done = true;
      } catch (IOException refused) {
        assertThat(refused).hasMessage("No space left on device");
      }
    }
  }

  private static List<Long> read(SimulatedStorage disk) throws IOException {
    List<Long> numbers = new ArrayList<>();
    new LogReader(disk, true, 0)
        .read(
            0,
            payload -> {
              assertThat(payload.get()).isEqualTo(Entries.REVISION);
              numbers.add(payload.getLong());
            });
    return numbers;
  }
}
