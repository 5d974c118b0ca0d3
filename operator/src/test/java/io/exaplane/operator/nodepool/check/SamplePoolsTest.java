// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodeKubeletSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.nodepool.render.KubeletSettings;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A user can create the samples of pools as they are, one of them or all, for the sample demo. */
class SamplePoolsTest {
  private static final Path SAMPLES = Path.of("../config/samples");

  private static List<NodePool> pools() throws IOException {
    try (Stream<Path> files = Files.list(SAMPLES)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("nodepool"))
          .sorted()
          .map(file -> made(file, "2026-01-01T00:00:00Z"))
          .toList();
    }
  }

  private static NodePool made(Path file, String when) {
    try {
      NodePool pool = Serialization.unmarshal(Files.readString(file), NodePool.class);
      pool.getMetadata().setCreationTimestamp(when);
      return pool;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void noneIsRefusedAloneOrBesideAllOthers() throws IOException {
    ControlPlane demo =
        Serialization.unmarshal(
            Files.readString(SAMPLES.resolve("controlplane.yaml")), ControlPlane.class);
    List<NodePool> all = pools();
    assertThat(all).hasSizeGreaterThan(3);
    assertThat(all)
        .allSatisfy(
            pool ->
                assertThat(pool.getSpec().controlPlaneRef().name())
                    .isEqualTo(demo.getMetadata().getName()));
    for (NodePool each : all) {
      assertThat(PoolRules.broken(context(each, demo, List.of(each))))
          .as(each.getMetadata().getName())
          .isEmpty();
      // The youngest is the one that is refused.
      each.getMetadata().setCreationTimestamp("2026-01-02T00:00:00Z");
      assertThat(PoolRules.broken(context(each, demo, all)))
          .as(each.getMetadata().getName() + " after all others")
          .isEmpty();
      each.getMetadata().setCreationTimestamp("2026-01-01T00:00:00Z");
    }
  }

  private static PoolContext context(NodePool pool, ControlPlane demo, List<NodePool> pools) {
    return new PoolContext(
        pool,
        demo,
        pools,
        List.of(),
        KubeletSettings.of(Optional.empty(), NodeKubeletSpec.of(pool.getSpec().kubelet()))
            .maxPods(),
        OptionalLong.empty());
  }
}
