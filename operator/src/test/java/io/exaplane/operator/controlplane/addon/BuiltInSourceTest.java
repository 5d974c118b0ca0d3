// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.AddonBuiltIn;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.metrics.AddonMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BuiltInSourceTest {
  private static final ControlPlane CONTROL_PLANE =
      Fixtures.controlPlane(
          "{version: 1.37.2, maxNodes: 10, addons: [{name: dns, builtIn: CoreDNS}, {name: a, inline: x}]}");

  private final ManagementReader reader =
      new ManagementReader(
          null, CONTROL_PLANE, new AddonFetches(new AddonMetrics(new SimpleMeterRegistry())));

  private static AddonWish dns(Map<String, String> builtIns) {
    return AddonPlan.of(CONTROL_PLANE, builtIns).wishes().getFirst();
  }

  @Test
  void itsFileIsTheOneThatTheOperatorMakes() throws Exception {
    AddonWish wish = dns(Map.of("dns", "kind: Service"));
    assertThat(reader.read(wish.spec())).containsExactly(Map.entry("inline.yaml", "kind: Service"));
    assertThat(wish.spec().builtIn()).isEqualTo(AddonBuiltIn.CoreDNS);
    assertThat(wish.readsTheSame(dns(Map.of("dns", "kind: Service")))).isTrue();
    assertThat(wish.readsTheSame(dns(Map.of("dns", "kind: Pod")))).isFalse();
    assertThat(AddonPlan.of(CONTROL_PLANE, Map.of()).wishes().getLast().spec().inline())
        .isEqualTo("x");
  }

  @Test
  void beforeThatItIsSaidWhatItWaitsFor() {
    assertThatThrownBy(() -> reader.read(dns(Map.of()).spec()))
        .isInstanceOfSatisfying(
            AddonReader.Unreadable.class, e -> assertThat(e.isPassing()).isTrue())
        .hasMessageContaining("builtIn CoreDNS")
        .hasMessageContaining("No action is needed");
  }
}
