// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.version.MinorVersion;
import org.junit.jupiter.api.Test;

/** Nothing leaves the model that a component would not start with. */
class AdviceTest {
  private static final Why WHY =
      Why.because("reason").source(Confidence.H, "source").risk("risk").with("input", 1);
  private final Advice advice = new Advice(Shapes.MATRIX, MinorVersion.of(33));

  @Test
  void aGateThatTheVersionDoesNotKnowIsLeftOut() {
    advice.gate(KUBE_APISERVER, "DetectCacheInconsistency", false, WHY); // from 1.34 on
    assertThat(advice.items()).isEmpty();
  }

  @Test
  void aLockedGateIsLeftOut() {
    advice.gate(KUBE_APISERVER, "BtreeWatchCache", false, WHY);
    assertThat(advice.items()).isEmpty();
  }

  @Test
  void aGateThatIsAsTheVersionHasItIsLeftOut() {
    advice.gate(KUBE_APISERVER, "WatchList", false, WHY);
    assertThat(advice.items()).isEmpty();
    advice.gate(KUBE_APISERVER, "WatchList", true, WHY);
    assertThat(advice.items()).hasSize(1);
  }

  @Test
  void aFlagThatTheVersionDoesNotKnowIsLeftOut() {
    advice.flag(KUBE_APISERVER, "tls-curve-preferences", "X25519", WHY); // from 1.36 on
    assertThat(advice.items()).isEmpty();
  }

  @Test
  void aFlagThatIsDeprecatedOrAtItsDefaultIsLeftOut() {
    advice.flag(KUBE_APISERVER, "default-watch-cache-size", "200", WHY);
    advice.flag(KUBE_APISERVER, "max-requests-inflight", 400, WHY);
    advice.flag(KUBE_APISERVER, "event-ttl", "60m", WHY);
    assertThat(advice.items()).isEmpty();
  }

  @Test
  void whatNeverShippedIsAMistakeOfTheRule() {
    assertThatThrownBy(
            () -> advice.flag(KUBE_APISERVER, "disable-compression-for-client-ips", "::1/128", WHY))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> advice.gate(KUBE_APISERVER, "NoSuchGate", true, WHY))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> advice.kubelet("noSuchField", 1, WHY))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void nothingIsAdvisedWithoutItsGrounds() {
    Why bare = Why.because("because").source(Confidence.H, "source");
    assertThatThrownBy(() -> advice.flag(KUBE_APISERVER, "max-requests-inflight", 800, bare))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("risk");
  }
}
