// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.RestartBackoffSpec;
import io.exaplane.api.v1alpha1.RestartBudgetSpec;
import io.exaplane.api.v1alpha1.RestartSpec;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestartPolicyTest {
  @Test
  void theDefaultsAreThoseOfTheDescriptions() {
    RestartPolicy policy = RestartPolicy.of(null);
    assertThat(policy).isEqualTo(RestartPolicy.of(new RestartSpec(null, null, null)));
    assertThat(
            IntStream.rangeClosed(1, 8).mapToObj(policy::delay).map(Duration::toSeconds).toList())
        .isEqualTo(List.of(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L));
    assertThat(policy.jitterPercent()).isEqualTo(20);
    assertThat(policy.resetAfter()).isEqualTo(Duration.ofMinutes(10));
    assertThat(policy.window()).isEqualTo(Duration.ofMinutes(10));
    assertThat(policy.gap()).isEqualTo(Duration.ofSeconds(6));
  }

  /** One restart of every pod at once is no loop, unless the user says so. */
  @ParameterizedTest
  @CsvSource({"1, , 5", "2, , 5", "3, , 6", "20, , 40", "1, 3, 3", "20, 3, 3", "1, 100, 100"})
  void theBudgetIsTheUsersOrGrowsWithThePods(int replicas, Integer asked, int budget) {
    RestartPolicy policy =
        RestartPolicy.of(new RestartSpec(null, new RestartBudgetSpec(asked, null), null));
    assertThat(policy.budget(replicas)).isEqualTo(budget);
  }

  /** The kind: any policy that the schema lets through. */
  @Test
  void delaysNeverShrinkStayWithinTheirBoundsAndAreTheSameForTheSuccessor() {
    Random random = new Random(29);
    for (int each = 0; each < 2_000; each++) {
      int initial = 1 + random.nextInt(300);
      int max = initial + random.nextInt(86_400 - initial);
      int jitter = random.nextInt(101);
      RestartPolicy policy =
          RestartPolicy.of(
              new RestartSpec(
                  new RestartBackoffSpec(
                      initial + "s", 1 + random.nextInt(10), max + "s", jitter, "720h"),
                  null,
                  1 + random.nextInt(600)));
      Duration before = Duration.ofSeconds(initial);
      for (int outages = 1; outages < 40; outages++) {
        Duration plain = policy.delay(outages);
        assertThat(plain).isBetween(before, Duration.ofSeconds(max));
        String seed = "u" + each + "-" + outages;
        Duration jittered = policy.delay(outages, seed);
        assertThat(jittered)
            .isBetween(plain, plain.plus(plain.multipliedBy(jitter).dividedBy(100)))
            .isEqualTo(policy.delay(outages, seed));
        before = plain;
      }
      assertThat(policy.gap().multipliedBy(policy.releasePerMinute()))
          .isBetween(Duration.ofMinutes(1).minusMillis(1), Duration.ofMinutes(1));
    }
  }

  /** Control planes with the same outage act at different moments. */
  @Test
  void jitterSpreads() {
    RestartPolicy policy =
        RestartPolicy.of(
            new RestartSpec(new RestartBackoffSpec("100s", null, "100s", 100, null), null, null));
    long[] quarters = new long[4];
    for (int each = 0; each < 1_000; each++) {
      long millis = policy.delay(1, "object-" + each + "kube-apiserver").toMillis() - 100_000;
      quarters[(int) (millis / 25_001)]++;
    }
    assertThat(quarters[0]).isGreaterThan(150);
    assertThat(quarters[1]).isGreaterThan(150);
    assertThat(quarters[2]).isGreaterThan(150);
    assertThat(quarters[3]).isGreaterThan(150);
  }

  @ParameterizedTest
  @CsvSource({"90s, 90s", "600s, 10m", "10m, 10m", "60m, 1h", "24h, 24h"})
  void theWindowIsToldAsAPersonWritesIt(String asked, String told) {
    assertThat(
            RestartPolicy.of(new RestartSpec(null, new RestartBudgetSpec(null, asked), null))
                .windowText())
        .isEqualTo(told);
  }
}
