// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ColdDiscoveryStatus;
import io.exaplane.api.v1alpha1.DefinitionsStatus;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.hosted.ApiServerMemory;
import io.exaplane.operator.controlplane.hosted.DefinitionsSeen;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.controlplane.sizing.Sizes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostedDefinitionsTest {
  private static final long MIB = 1 << 20;

  private final Sized sized =
      Sizes.sized(
          Fixtures.controlPlane(
              "{version: 1.36.3, maxNodes: 100, sizing: {definitionProperties: 60}}"));

  private DefinitionsStatus after(DefinitionsStatus before, int count, long liveMib) {
    return HostedDefinitions.of(
        new ApiServerMemory(
            List.of(), Optional.of(new DefinitionsSeen(count, 93, liveMib * MIB + 1_000))),
        sized,
        before);
  }

  @Test
  void saysWhatTheModelExpectsAndWhatIsThere() {
    // 300 · (0.17 + 0.33 + 0.037 · 7.2 KiB) MiB
    assertThat(after(null, 300, 410))
        .isEqualTo(new DefinitionsStatus(300, 93, "230Mi", "410Mi", cold(200, 200)));
  }

  private static List<ColdDiscoveryStatus> cold(long fast, long slow) {
    return List.of(
        new ColdDiscoveryStatus("kubectl 1.30 and later", 2, 100L),
        new ColdDiscoveryStatus("kubectl before 1.30", 95, fast),
        new ColdDiscoveryStatus("client-go before 0.30, 5 requests a second", 95, slow));
  }

  /** 400 GroupVersions: the limiter lets 300 requests through at once. */
  @Test
  void oldClientsWaitForTheirLimiter() {
    DefinitionsStatus said =
        HostedDefinitions.of(new DefinitionsSeen(2_000, 400, 400 * MIB), Optional.empty());
    assertThat(said.coldDiscovery())
        .extracting(ColdDiscoveryStatus::milliseconds)
        .containsExactly(100L, 2_100L, 20_500L);
    assertThat(said.coldDiscovery().getLast().requests()).isEqualTo(402);
  }

  @Test
  void aHeapThatBreathesIsNoNewsAndAnotherCountIs() {
    DefinitionsStatus said = after(null, 300, 400);
    assertThat(after(said, 300, 490)).isSameAs(said);
    assertThat(after(said, 300, 310)).isSameAs(said);
    assertThat(after(said, 300, 510))
        .isEqualTo(new DefinitionsStatus(300, 93, "230Mi", "510Mi", cold(200, 200)));
    assertThat(after(said, 301, 400).count()).isEqualTo(301);
  }

  @Test
  void withoutAWordWhatWasSaidStays() {
    DefinitionsStatus said = after(null, 300, 400);
    ApiServerMemory silent = new ApiServerMemory(List.of(), Optional.empty());
    assertThat(HostedDefinitions.of(silent, sized, said)).isSameAs(said);
    assertThat(HostedDefinitions.of(silent, sized, null)).isNull();
  }
}
