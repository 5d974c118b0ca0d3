// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreShard;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a store is looked at again: a window that is days away takes no regular look away. */
class StoreNextLookTest {
  private static final Duration INTERVAL = Duration.ofHours(10);

  @ParameterizedTest
  @CsvSource({
    // what is due already, the end of a delay, the begin of a window, what is asked for
    ", , , ",
    ", , PT144H, ",
    ", , PT9H, PT9H",
    ", PT1M, PT144H, PT1M",
    ", PT144H, PT1M, PT1M",
    "PT5S, , PT1M, ",
    "PT5M, , PT1M, PT1M",
  })
  void theSoonestCounts(Duration due, Duration delay, Duration window, Duration asked) {
    Optional<Duration> next =
        StoreShardReconciler.soonest(
            context(),
            Optional.ofNullable(due).map(Duration::toMillis),
            Stream.of(Optional.ofNullable(delay), Optional.ofNullable(window)));
    assertThat(next).isEqualTo(Optional.ofNullable(asked));
  }

  @SuppressWarnings("unchecked")
  private static Context<StoreShard> context() {
    ControllerConfiguration<StoreShard> configuration =
        fake(ControllerConfiguration.class, "maxReconciliationInterval", Optional.of(INTERVAL));
    return fake(Context.class, "getControllerConfiguration", configuration);
  }

  /** One that answers one question. */
  private static <T> T fake(Class<T> type, String question, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> {
              if (method.getName().equals(question)) {
                return answer;
              }
              throw new UnsupportedOperationException(method.getName());
            }));
  }
}
