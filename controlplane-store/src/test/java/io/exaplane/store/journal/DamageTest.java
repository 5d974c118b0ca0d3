// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.execute.EtcdModel.Version;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.journal.Life.Seen;
import io.exaplane.store.journal.Segment.Reading;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What changes in files that were acknowledged is found, and what never was is no damage. {@code
 * -DeveryByte=true} changes each byte of every file, else some are taken, and all of the last
 * frame.
 */
class DamageTest {
  /** Histories of which some must refuse to start. */
  private static final int ENOUGH = 10;

  private static int amongWeaker;
  private static int refusedAmongWeaker;

  private static final int SOME = 20;
  private static final int BATCHES = Integer.getInteger("batches", 14);

  static LongStream seeds() {
    return Seeds.of(6);
  }

  /** Nothing is lost without a word, however the store had stopped. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aByteThatChangedIsFound(long seed) throws Exception {
    WrittenHistory history = written(seed);
    Random random = new Random(seed);
    for (String file : history.disk.list()) {
      for (int at : places(history, file, random)) {
        byte[] flipped = history.disk.bytes(file).clone();
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        assertNothingLost(history, file, flipped, "a bit of byte %d flipped".formatted(at));
        byte[] other = history.disk.bytes(file).clone();
        other[at] = (byte) (random.nextInt(4) == 0 ? ~other[at] : 0);
        assertNothingLost(history, file, other, "byte %d overwritten".formatted(at));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aFileThatWasCutIsFound(long seed) throws Exception {
    WrittenHistory history = written(seed);
    for (String file : history.disk.list()) {
      for (int at : places(history, file, new Random(seed))) {
        byte[] cut = Arrays.copyOf(history.disk.bytes(file), at);
        assertNothingLost(history, file, cut, "cut at " + at);
      }
    }
  }

  /**
   * A sector that is lost shows in each frame but the last one of a store that was killed, where it
   * looks like one that was never written.
   */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aSectorThatIsLostIsFound(long seed) throws Exception {
    for (boolean stopsWell : new boolean[] {false, true}) {
      WrittenHistory history = new WrittenHistory(seed, KeyClasses::plain);
      history.write(BATCHES, stopsWell);
      for (String file : history.disk.list()) {
        byte[] bytes = history.disk.bytes(file);
        for (int at = 0; at < bytes.length; at += LogFrames.SECTOR_BYTES) {
          byte[] lost = bytes.clone();
          Arrays.fill(lost, at, Math.min(at + LogFrames.SECTOR_BYTES, lost.length), (byte) 0);
          boolean isLastFrames = !stopsWell && isPartOfLast(history, file, at);
          List<Seen> may =
              isLastFrames
                  ? List.of(history.last(), history.lastButOne())
                  : List.of(history.last());
          assertNothingLost(history, file, lost, "sector at %d lost".formatted(at), may);
        }
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aFileThatIsGoneIsFound(long seed) throws Exception {
    WrittenHistory history = written(seed);
    for (String file : history.disk.list()) {
      SimulatedStorage disk = history.disk.copy();
      disk.delete(file);
      assertSameOrRefused(disk, List.of(history.last()), file + " is gone");
    }
  }

  /** A batch of which only parts reached the disk was told to nobody: it is there or not. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatNeverEndedIsNoDamage(long seed) throws Exception {
    for (int batches = 1; batches < BATCHES; batches += 3) {
      WrittenHistory history = new WrittenHistory(seed, KeyClasses::plain).write(batches, false);
      String segment = LogReader.segments(history.disk).getLast();
      byte[] after = history.disk.bytes(segment);
      byte[] before =
          history.before.list().contains(segment)
              ? history.before.bytes(segment)
              : Arrays.copyOf(
                  Arrays.copyOf(after, MarkedSegment.START), after.length); // it was new
      int first = Arrays.mismatch(before, after);
      int end = IntStream.range(first, after.length).filter(i -> after[i] != 0).max().orElse(0) + 1;
      Random random = new Random(seed);
      for (int i = 0; i < SOME; i++) {
        byte[] some = before.clone();
        for (int at = first & -LogFrames.SECTOR_BYTES; at < end; at += LogFrames.SECTOR_BYTES) {
          if (random.nextBoolean()) {
            System.arraycopy(after, at, some, at, LogFrames.SECTOR_BYTES);
          }
        }
        assertStarts(history, segment, some, "some sectors");
        byte[] beginning = before.clone();
        int to = random.nextInt(first, end + 1);
        System.arraycopy(after, first, beginning, first, to - first);
        assertStarts(history, segment, beginning, "written to " + to);
      }
    }
  }

  /** Some keys are forced, some are not: no damage takes one that was forced, without a word. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void amongWeakerFramesADurableOneIsNotLost(long seed) throws Exception {
    WrittenHistory history = new WrittenHistory(seed, DamageTest::mixed).write(BATCHES, false);
    Random random = new Random(seed);
    amongWeaker++;
    for (String file : LogReader.segments(history.disk)) {
      for (int at : places(history, file, random)) {
        SimulatedStorage disk = history.disk.copy();
        disk.damage(file, at);
        try (Life store = new Life(disk, mixed(), 0)) {
          assertThat(durable(store.keys()))
              .as("byte %d", at)
              .isEqualTo(durable(history.last().keys()));
        } catch (CorruptJournalException e) {
          refusedAmongWeaker++;
        }
      }
    }
  }

  /** Of one history, all places that are tried may lie in frames that nobody asked to keep. */
  @AfterAll
  static void damageOfDurableFramesWasTried() {
    assertThat(amongWeaker < ENOUGH || refusedAmongWeaker > 0)
        .as("%d histories, %d starts refused", amongWeaker, refusedAmongWeaker)
        .isTrue();
  }

  /** So with a sector that is lost: at most the last frame of a store that was killed goes. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void amongWeakerFramesALostSectorTakesNoDurableOneBeforeTheLast(long seed) throws Exception {
    WrittenHistory history = new WrittenHistory(seed, DamageTest::mixed).write(BATCHES, false);
    List<Version> last = durable(history.last().keys());
    List<Version> lastButOne = durable(history.lastButOne().keys());
    for (String file : LogReader.segments(history.disk)) {
      for (int at = 0; at < history.disk.bytes(file).length; at += LogFrames.SECTOR_BYTES) {
        SimulatedStorage disk = history.disk.copy();
        Arrays.fill(disk.bytes(file), at, at + LogFrames.SECTOR_BYTES, (byte) 0);
        try (Life store = new Life(disk, mixed(), 0)) {
          assertThat(durable(store.keys()))
              .as("%s without the sector at %d", file, at)
              .isIn(isPartOfLast(history, file, at) ? List.of(last, lastButOne) : List.of(last));
        } catch (CorruptJournalException e) {
          assertThat(e).hasMessageContaining("is damaged at byte");
        }
      }
    }
  }

  /** A segment may have weak frames alone, and else its loss is found. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void amongWeakerFramesASegmentThatIsGoneTakesNoDurableOne(long seed) throws Exception {
    WrittenHistory history = new WrittenHistory(seed, DamageTest::mixed).write(BATCHES, false);
    for (String file : LogReader.segments(history.disk)) {
      SimulatedStorage disk = history.disk.copy();
      disk.delete(file);
      try (Life store = new Life(disk, mixed(), 0)) {
        assertThat(durable(store.keys()))
            .as("%s is gone", file)
            .isEqualTo(durable(history.last().keys()));
      } catch (CorruptJournalException e) {
        assertThat(e).hasMessageContaining("is damaged at byte");
      }
    }
  }

  private static KeyClasses mixed() {
    return new KeyClasses(
        IntStream.range(0, 6)
            .mapToObj(i -> new PrefixRule("/key/" + i, 0, Durability.BUFFERED))
            .toList(),
        Durability.FSYNC);
  }

  private static List<Version> durable(List<Version> keys) {
    return keys.stream().filter(version -> !version.key().matches("/key/[0-5]")).toList();
  }

  /** What stores wrote before segments were marked can be read, by the rules of then. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void segmentsOfBeforeCanBeRead(long seed) throws Exception {
    WrittenHistory history = written(seed);
    SimulatedStorage disk = history.disk.copy();
    inFormatOfBefore(disk);
    String segment = LogReader.segments(disk).getLast();
    SimulatedStorage damaged = disk.copy();
    damaged.damage(segment, random(seed, disk.bytes(segment).length));
    try (Life store = new Life(damaged, KeyClasses.plain(), 0)) {
      assertThat(store.seen()).isIn(history.acknowledged);
    } catch (CorruptJournalException e) {
      assertThat(e).hasMessageContaining(segment);
    }
    Seen later;
    try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
      assertThat(store.seen()).isEqualTo(history.last());
      byte[] key = {'/', 'a'};
      store.keyspace.put(key, 0, key.length, key, 0, key.length, 0);
      store.keyspace.commit();
      store.journal.commit();
      store.keyspace.publish();
      later = store.seen();
    }
    assertThat(LogReader.segments(disk)).contains(segment).anyMatch(Segment::isMarked);
    try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
      assertThat(store.seen()).isEqualTo(later);
    }
    // Now another segment shows what is missing from the old one.
    disk.damage(segment, 2 * Frames.HEADER_BYTES);
    assertThat(refusal(disk)).contains("is damaged at byte");
  }

  /** Writes the log as it was before: the same frames, in segments of plain ones. */
  private static void inFormatOfBefore(SimulatedStorage disk) throws IOException {
    for (String name : LogReader.segments(disk)) {
      ByteBuffer plain = ByteBuffer.allocate(disk.bytes(name).length);
      long sequence = Segment.firstSequence(name);
      try (Segment segment = Segment.open(disk, name)) {
        long at = segment.start();
        for (Reading frame = segment.read(at, sequence);
            frame.state() == Segment.State.WHOLE;
            frame = segment.read(at, sequence)) {
          int bytes = frame.payload().remaining();
          ByteBuffer sealed = plain.slice(plain.position(), Frames.size(bytes));
          sealed.position(Frames.HEADER_BYTES).put(frame.payload());
          Frames.seal(sealed, sequence++);
          plain.position(plain.position() + sealed.limit());
          at += frame.size();
        }
      }
      disk.delete(name);
      disk.replace(name.substring(0, name.length() - Segment.MARKED.length()), plain.array());
    }
    disk.delete("log-acknowledged");
  }

  private static int random(long seed, int bound) {
    return new Random(seed).nextInt(bound);
  }

  private static void assertStarts(
      WrittenHistory history, String segment, byte[] content, String what) throws IOException {
    SimulatedStorage disk = history.before.copy();
    disk.replace(segment, content);
    byte[] copy = content.clone();
    for (int start = 0; start < 2; start++) {
      try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
        assertThat(store.seen()).as(what).isIn(history.last(), history.lastButOne());
      }
      assertThat(disk.bytes(segment)).isEqualTo(copy);
    }
  }

  @Test
  void theRefusalSaysWhatIsLostAndWhatToDo() throws Exception {
    WrittenHistory history = new WrittenHistory(1, KeyClasses::plain).write(3, false);
    for (int batches = 4; !history.before.list().equals(history.disk.list()); batches++) {
      history = new WrittenHistory(1, KeyClasses::plain).write(batches, false);
    }
    String segment = history.lastSegment();
    int at = Arrays.mismatch(history.before.bytes(segment), history.disk.bytes(segment));
    history.disk.damage(segment, at + 2 * LogFrames.HEADER_BYTES);
    assertThat(refusal(history.disk))
        .contains(segment)
        .contains("is damaged at byte " + at / LogFrames.ALIGNMENT * LogFrames.ALIGNMENT)
        .containsPattern("frame [0-9]+ was written to its end, and its bytes have changed since")
        .contains("up to revision " + history.lastButOne().revision())
        .contains("store restore")
        .contains("--repair");
  }

  private static String refusal(SimulatedStorage disk) throws IOException {
    try (Life _ = new Life(disk, KeyClasses.plain(), 0)) {
      return null;
    } catch (CorruptJournalException e) {
      return e.getMessage();
    }
  }

  private static WrittenHistory written(long seed) throws IOException {
    return new WrittenHistory(seed, KeyClasses::plain).write(BATCHES, seed % 2 == 0);
  }

  private static boolean isPartOfLast(WrittenHistory history, String file, int sector) {
    int end = sector + LogFrames.SECTOR_BYTES;
    return !history.before.list().contains(file)
        || Arrays.mismatch(
                Arrays.copyOfRange(history.before.bytes(file), sector, end),
                Arrays.copyOfRange(history.disk.bytes(file), sector, end))
            >= 0;
  }

  /** Which bytes of a file are changed. */
  private static int[] places(WrittenHistory history, String file, Random random) {
    int bytes = history.disk.bytes(file).length;
    if (Boolean.getBoolean("everyByte")) {
      return IntStream.range(0, bytes).toArray();
    }
    IntStream some = random.ints(Math.min(SOME, bytes), 0, bytes);
    boolean isLast = Segment.isSegment(file) && history.before.list().contains(file);
    if (!isLast) {
      return some.toArray();
    }
    int first = Math.max(0, Arrays.mismatch(history.before.bytes(file), history.disk.bytes(file)));
    return IntStream.concat(some, IntStream.range(first, Math.min(first + 80, bytes))).toArray();
  }

  private static void assertNothingLost(
      WrittenHistory history, String file, byte[] content, String what) throws IOException {
    assertNothingLost(history, file, content, what, List.of(history.last()));
  }

  private static void assertNothingLost(
      WrittenHistory history, String file, byte[] content, String what, List<Seen> may)
      throws IOException {
    SimulatedStorage disk = history.disk.copy();
    disk.replace(file, content);
    assertSameOrRefused(disk, may, file + " with " + what);
    if (LogReader.segments(disk).contains(file)) {
      assertThat(disk.bytes(file)).as("nothing is changed in it").isEqualTo(content);
    }
  }

  private static void assertSameOrRefused(SimulatedStorage disk, List<Seen> may, String what)
      throws IOException {
    try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
      assertThat(store.seen()).as(what).isIn(may);
    } catch (CorruptJournalException e) {
      assertThat(e).as(what).hasMessageContaining("is damaged at byte");
    }
  }
}
