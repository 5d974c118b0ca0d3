// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.placement.BestOfCell;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.ScenarioMaker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class TreeCodecTest {
  private static final int SCENARIOS = 200;

  private static <T> T again(Class<T> type, T value) {
    Form form = Forms.form(type);
    return type.cast(TreeCodec.decode(form, "", TreeCodec.encode(form, value)));
  }

  @Test
  void whatIsWrittenIsRead() {
    long first = ThreadLocalRandom.current().nextLong(1L << 40);
    for (long seed = first; seed < first + SCENARIOS; seed++) {
      Cluster cluster = Clusters.of(new ScenarioMaker(seed).objects(), Version.newest());
      for (PlacedPod pod : cluster.pods()) {
        PodSpec read = again(PodSpec.class, pod.spec());
        assertThat(read).as("seed %d", seed).isEqualTo(pod.spec());
        boolean none = pod.spec().neighbours().equals(PodSpec.Neighbours.NONE);
        assertThat(read.neighbours() == PodSpec.Neighbours.NONE).isEqualTo(none);
      }
      for (int i = 0; i < cluster.nodes().size(); i++) {
        Node node = cluster.nodes().node(i);
        assertThat(again(Node.class, node)).as("seed %d", seed).isEqualTo(node);
      }
    }
  }

  private static final List<Change> CHANGES =
      List.of(
          new Change.Count(1_000_000, 70_000, -3),
          new Change.NodeGone(4),
          new Change.ClassGone(0),
          new Change.Waits("n/p", "node", 6),
          new Change.WaitsNoMore("n/p"),
          new Change.Wish(PodSpec.Neighbours.NONE),
          new Change.WishGone(PodSpec.Neighbours.NONE),
          new Change.Namespace("n", null),
          new Change.Namespace("n", Labels.of(Map.of("a", "b"))),
          new Change.WorkloadGone("Service", "n", "s"),
          new Change.DeviceClassGone("gpu"),
          new Change.Totals(5, Map.of("i", 2), Set.of("k")));

  private static List<Change> read(Packed packed) {
    List<Change> changes = new ArrayList<>();
    packed.forEach(changes::add);
    return changes;
  }

  @Test
  void whatGoesDownArrivesAsItWas() {
    Down.Rules rules = new Down.Rules("1.36", "", -7);
    for (Down message :
        List.of(
            new Down.Welcome(Long.MIN_VALUE, 3, 9, rules),
            new Down.Ask(Long.MAX_VALUE, 6, 64),
            new Down.Ping(12),
            new Down.Drop(3, "because"),
            new Down.Changes(3, Packed.of(List.of())))) {
      assertThat(TreeCodec.down(TreeCodec.encode(message))).isEqualTo(message);
    }
  }

  /** As a relay does it: it hears, and sends what it heard. */
  @Test
  void whoPassesChangesOnNeitherReadsNorChangesThem() {
    byte[] sent = TreeCodec.encode(new Down.Changes(77, Packed.of(CHANGES)));
    Down.Changes heard = (Down.Changes) TreeCodec.down(sent);
    assertThat(heard.to()).isEqualTo(77);
    assertThat(TreeCodec.encode(heard)).isEqualTo(sent);
    assertThat(read(heard.changes())).isEqualTo(CHANGES);
    byte[] unreadable = {sent[0], sent[1], sent[2], sent[3], (byte) 0xff};
    Down.Changes passed = (Down.Changes) TreeCodec.down(unreadable);
    assertThat(TreeCodec.encode(passed)).isEqualTo(unreadable);
    assertThatThrownBy(() -> read(passed.changes())).isInstanceOf(IllegalArgumentException.class);
  }

  /** Counts of pods are most of what is said, and have a way of their own through the codec. */
  @Test
  void aCountIsAFewBytes() {
    Packed one = Packed.of(List.of(new Change.Count(100, 20, 1)));
    assertThat(one.sizeBytes()).isLessThanOrEqualTo(5);
  }

  @Test
  void whatIsTooLargeGoesInPartsInOrder() {
    String large = "x".repeat(Packed.LARGE_BYTES / 4);
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      changes.add(new Change.WorkloadGone("k" + i, large, "n"));
    }
    List<Packed> parts = Packed.inParts(changes);
    assertThat(parts).hasSize(3).allMatch(part -> part.sizeBytes() < 2 * Packed.LARGE_BYTES);
    assertThat(parts.stream().flatMap(part -> read(part).stream())).isEqualTo(changes);
    assertThat(Packed.inParts(List.of())).isEmpty();
  }

  @Test
  void whatGoesUpArrivesAsItWas() {
    for (Up message :
        List.of(
            new Up.Hello(-5, Up.Kind.RELAY, "r", "m", List.of("a", "b")),
            new Up.Pong(1, 2, 3),
            new Up.Left(4),
            new Up.Answer(9, null, List.of(new Up.Took(1, 2))))) {
      assertThat(TreeCodec.up(TreeCodec.encode(message))).isEqualTo(message);
    }
    long[] hashes = {Long.MIN_VALUE, 7};
    BestOfCell cell = new BestOfCell(-1, 5, new int[] {3, 900_000}, new int[] {9, -9}, hashes);
    Up.Answer answer = new Up.Answer(9, List.of(cell), List.of());
    Up.Answer read = (Up.Answer) TreeCodec.up(TreeCodec.encode(answer));
    assertThat(read).usingRecursiveComparison().isEqualTo(answer);
  }

  @Test
  void aCellThatDoesNotFitTogetherIsRefused() {
    for (BestOfCell cell :
        List.of(
            new BestOfCell(1, 2, new int[] {3}, new int[0], new long[] {1}),
            new BestOfCell(1, 2, new int[] {3}, new int[] {1}, new long[0]),
            new BestOfCell(1, 0, new int[] {3}, new int[] {1}, new long[] {1}))) {
      byte[] bytes = TreeCodec.encode(new Up.Answer(9, List.of(cell), List.of()));
      assertThatThrownBy(() -> TreeCodec.up(bytes)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void numbersOfAnySizeAreRead() {
    ByteSink sink = new ByteSink();
    long[] numbers = {0, 1, -1, 63, 64, -65, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE};
    Arrays.stream(numbers).forEach(sink::number);
    byte[] bytes = sink.toBytes();
    ByteSource source = new ByteSource(bytes, 0, bytes.length);
    assertThat(Arrays.stream(numbers).map(number -> source.number()).toArray()).isEqualTo(numbers);
    assertThat(source.isAtEnd()).isTrue();
  }

  /** Whatever bytes come, the answer is a message or a refusal: never another error, nor no end. */
  @Test
  void whatIsCutOffOrTooLongOrRubbishIsRefused() {
    long seed = ThreadLocalRandom.current().nextLong();
    Random random = new Random(seed);
    List<byte[]> good =
        List.of(
            TreeCodec.encode(new Down.Changes(77, Packed.of(CHANGES))),
            TreeCodec.encode(new Down.Welcome(5, 3, 9, new Down.Rules("1.36", "a", 7))),
            TreeCodec.encode(new Down.Drop(3, "because")));
    for (byte[] bytes : good.subList(1, good.size())) {
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> TreeCodec.down(cut)).isInstanceOf(IllegalArgumentException.class);
      }
      assertThatThrownBy(() -> TreeCodec.down(Arrays.copyOf(bytes, bytes.length + 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("left");
    }
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = good.get(random.nextInt(good.size())).clone();
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        if (TreeCodec.down(bytes) instanceof Down.Changes changes) {
          read(changes.changes());
        }
        TreeCodec.up(bytes);
      } catch (IllegalArgumentException e) {
        refused++;
      }
    }
    assertThat(refused).as("seed %d", seed).isPositive();
  }

  @Test
  void theFingerprintNamesAVersionOfTheModel() {
    assertThat(TreeCodec.FINGERPRINT).matches("[0-9a-f]+-[0-9a-f]+");
  }
}
