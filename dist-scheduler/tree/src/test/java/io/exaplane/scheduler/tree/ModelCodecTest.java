// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.ScenarioMaker;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class ModelCodecTest {
  private static final int SCENARIOS = 200;

  @Test
  void whatIsWrittenIsRead() {
    long first = ThreadLocalRandom.current().nextLong(1L << 40);
    for (long seed = first; seed < first + SCENARIOS; seed++) {
      Cluster cluster = Clusters.of(new ScenarioMaker(seed).objects(), Version.newest());
      for (PlacedPod pod : cluster.pods()) {
        PodSpec read = ModelCodec.decode(PodSpec.class, ModelCodec.encode(pod.spec()));
        assertThat(read).as("seed %d", seed).isEqualTo(pod.spec());
        boolean none = pod.spec().neighbours().equals(PodSpec.Neighbours.NONE);
        assertThat(read.neighbours() == PodSpec.Neighbours.NONE).isEqualTo(none);
      }
      for (int i = 0; i < cluster.nodes().size(); i++) {
        Node node = cluster.nodes().node(i);
        assertThat(ModelCodec.decode(Node.class, ModelCodec.encode(node)))
            .as("seed %d", seed)
            .isEqualTo(node);
      }
    }
  }

  @Test
  void numbersOfAnySizeAreRead() {
    ByteSink sink = new ByteSink();
    long[] numbers = {0, 1, -1, 63, 64, -65, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE};
    Arrays.stream(numbers).forEach(sink::number);
    ByteSource source = new ByteSource(sink.toBytes());
    assertThat(Arrays.stream(numbers).map(number -> source.number()).toArray()).isEqualTo(numbers);
    assertThat(source.isAtEnd()).isTrue();
  }

  @Test
  void whatIsCutOffOrTooLongOrRubbishIsRefused() {
    byte[] bytes = ModelCodec.encode(PodSpec.Neighbours.NONE);
    assertThatThrownBy(
            () ->
                ModelCodec.decode(PodSpec.Neighbours.class, Arrays.copyOf(bytes, bytes.length - 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                ModelCodec.decode(PodSpec.Neighbours.class, Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("left");
    byte[] rubbish = new byte[100];
    Arrays.fill(rubbish, (byte) 0x7f);
    assertThatThrownBy(() -> ModelCodec.decode(Node.class, rubbish))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theFingerprintNamesAVersionOfTheModel() {
    assertThat(ModelCodec.FINGERPRINT).matches("[0-9a-f]+-[0-9a-f]+");
  }
}
