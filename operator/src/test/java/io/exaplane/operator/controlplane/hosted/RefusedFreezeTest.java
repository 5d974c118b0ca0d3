// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.GuardMode;
import io.exaplane.api.v1alpha1.GuardSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.AnsweringApi.Answer;
import io.exaplane.operator.controlplane.condition.NodeEvictionsAllowedCondition;
import io.exaplane.operator.guard.GuardLook;
import io.exaplane.operator.guard.GuardPolicy;
import io.exaplane.operator.guard.LeaseLook;
import io.exaplane.operator.hosted.NodeFreeze;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A hosted API that refuses the freeze: the condition says so, and says it no longer than it is so.
 */
class RefusedFreezeTest {
  private static final GuardSpec SPEC = GuardSpec.of(null);
  private static final GuardPolicy POLICY = GuardPolicy.of(SPEC, Duration.ofSeconds(40));
  private static final LeaseLook BAD = LeaseLook.counted(5, 15, 0);
  private static final LeaseLook GOOD = LeaseLook.counted(20, 0, 0);

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private volatile boolean refuses = true;
  private AnsweringApi api;
  private KubernetesClient client;
  private GuardRun run = GuardRun.begin(null, NodeFreeze.State.NONE, GuardMode.Enforce, true);

  @BeforeEach
  void serve() throws Exception {
    api =
        new AnsweringApi(
            request -> {
              int code = request.reads() ? 404 : refuses ? 403 : 200;
              return new Answer(
                  code,
                  code == 200
                      ? request.body()
                      : "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":%d,\"message\":\"admission webhook denied\"}"
                          .formatted(code));
            });
    client = api.client();
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void theRefusalEndsWhenTheFreezeIsTaken() {
    look(BAD, POLICY.badLooks());
    assertThat(told().reason()).isEqualTo(Reason.FreezeRefused);
    assertThat(told().met()).as("nothing is held back").isTrue();
    assertThat(told().message()).contains("hold back evictions", "admission webhook denied");
    look(BAD, 3);
    assertThat(told().reason()).isEqualTo(Reason.FreezeRefused);
    refuses = false;
    look(BAD, 1);
    assertThat(run.actual()).isEqualTo(NodeFreeze.State.FROZEN);
    assertThat(told().reason()).isEqualTo(Reason.LeasesMissed);
    assertThat(told().met()).isFalse();
  }

  @Test
  void theRefusalEndsWhenNothingIsToBeFrozenAnyMore() {
    look(BAD, POLICY.badLooks());
    assertThat(told().reason()).isEqualTo(Reason.FreezeRefused);
    look(GOOD, POLICY.goodLooks());
    assertThat(run.isIdle()).isTrue();
    assertThat(told().reason()).isEqualTo(Reason.AsExpected);
  }

  private void look(LeaseLook leases, int times) {
    for (int i = 0; i < times; i++) {
      now = now.plusMillis(2500);
      run = run.next(new GuardLook(now, true, "", leases), POLICY, GuardMode.Enforce);
      run = GuardProbe.carryOut(run, GuardMode.Enforce, client, now);
    }
  }

  private Verdict told() {
    return NodeEvictionsAllowedCondition.of(run.verdict(GuardMode.Enforce), SPEC);
  }
}
