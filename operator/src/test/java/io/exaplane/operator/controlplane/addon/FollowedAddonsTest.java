// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The thread that makes rounds. */
class FollowedAddonsTest {
  /** Its files can't be parsed without an Error. */
  private static final AddonReader BROKEN =
      new AddonReader() {
        @Override
        public Map<String, String> read(AddonSpec spec) {
          throw new StackOverflowError("made to break");
        }

        @Override
        public Fetching fetch(AddonSpec spec, String previous, long heldBytes, Runnable ended) {
          throw new StackOverflowError("made to break");
        }

        @Override
        public Watching watch(AddonSpec spec, Runnable changed) {
          return NOTHING;
        }
      };

  @Test
  void aFaultIsToldAndEndsNothing() throws Exception {
    var controlPlane = Fixtures.controlPlane("{version: 1.36.3, addons: [{name: a, inline: x}]}");
    var noted = AddonReport.of(AddonPlan.of(controlPlane), Map.of()).getFirst().status();
    controlPlane.setStatus(
        Serialization.unmarshal("version: {current: 1.36.3}", ControlPlaneStatus.class)
            .withAddons(List.of(noted)));
    CountDownLatch changed = new CountDownLatch(1);
    FollowedAddons followed =
        new FollowedAddons(
            "default/demo",
            key -> new FakeEngine(key),
            BROKEN,
            changed::countDown,
            news -> {},
            Clock.systemUTC());
    try {
      followed.plan(AddonPlan.of(controlPlane));
      assertThat(changed.await(20, TimeUnit.SECONDS)).isTrue();
      AddonReport report = followed.reports().get("a");
      assertThat(report.reason()).isEqualTo(Reason.AddonFailed);
      assertThat(report.status().message()).contains("retries within 1 minute", "report the fault");
      assertThat(followed.hasEnded()).isFalse();
    } finally {
      followed.close();
    }
  }
}
