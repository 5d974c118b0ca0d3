// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A store that was away between two passes is told of, once. */
class UnseenOutageTest {
  @ParameterizedTest
  @CsvSource({
    // StoresReady and since when | the store's Ready, since when, made when | end
    "True,  10:00:00, True,  09:59:58, 09:00:00,",
    "True,  10:00:00, True,  10:00:00, 09:00:00,",
    "True,  10:00:00, True,  10:05:07, 09:00:00, 10:05:07",
    "True,  10:00:00, True,  10:05:07, 10:05:00,",
    "True,  10:00:00, False, 10:05:07, 09:00:00,",
    "False, 10:00:00, True,  10:05:07, 09:00:00,",
  })
  void theTimesOfTheConditionsTell(
      String status, String since, String ready, String readySince, String made, String end) {
    Condition told =
        new Condition("StoresReady", status, Reason.AsExpected.name(), "any", time(since), 1L);
    Optional<UnseenOutage> outage =
        UnseenOutage.of(Optional.of(told), List.of(shard(ready, readySince, made)));
    assertThat(outage.map(UnseenOutage::end))
        .isEqualTo(Optional.ofNullable(end).map(UnseenOutageTest::time));
    outage.ifPresent(
        found -> {
          assertThat(found.news().warns()).isTrue();
          assertThat(found.news().reason()).isEqualTo(Reason.StoreUnavailable);
          assertThat(found.news().message())
              .contains("demo-default (ready again at 2026-11-26T10:05:07Z)", "No action");
        });
  }

  @Test
  void nothingIsMissedBeforeTheFirstStatus() {
    assertThat(UnseenOutage.of(Optional.empty(), List.of(shard("True", "10:05:07", "09:00:00"))))
        .isEmpty();
  }

  /** An operator that knows of such outages takes over from one that did not. */
  @ParameterizedTest
  @CsvSource({
    "10:05:00, true",
    "10:06:07, true",
    "10:06:08, false",
    "23:00:00, false",
  })
  void whatEndedBeforeTheOperatorBeganIsNoNews(String begun, boolean told) {
    UnseenOutage outage = new UnseenOutage("demo-default", time("10:05:07"));
    assertThat(outage.endedAfter(Instant.parse(time(begun)))).isEqualTo(told);
  }

  private static String time(String clock) {
    return "2026-11-26T" + clock.strip() + "Z";
  }

  private static StoreShard shard(String ready, String since, String made) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: demo-default, namespace: ns, creationTimestamp: "%s"}
        spec: {engine: Memory}
        status: {conditions: [{type: Ready, status: "%s", reason: AsExpected, message: any, lastTransitionTime: "%s"}]}
        """
            .formatted(time(made), ready, time(since)),
        StoreShard.class);
  }
}
