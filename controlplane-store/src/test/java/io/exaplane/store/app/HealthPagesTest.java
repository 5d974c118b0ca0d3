// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.StoreServices;
import io.exaplane.store.app.metrics.HealthCounts;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What probes are told while the disk hangs, refuses, or is full (7., line 13). */
class HealthPagesTest {
  private boolean stalled;
  private boolean full;
  private long waitNanos;
  private final HealthPages pages =
      new HealthPages(
          new JournalHealth(() -> stalled, () -> waitNanos), () -> full, new HealthCounts());

  @ParameterizedTest
  @CsvSource({
    "fine, /health, 200",
    "fine, /livez, 200",
    "fine, /readyz, 200",
    "fine, /readyz/non_learner, 200",
    "slow, /health, 200",
    "slow, /livez, 200",
    "slow, /readyz, 200",
    "hangs, /health, 503",
    "hangs, /livez, 200",
    "hangs, /readyz, 503",
    "hangs, /readyz/linearizable_read, 503",
    "hangs, /readyz/serializable_read, 200",
    "hangs, /readyz?exclude=linearizable_read, 200",
    "hangs, /health?serializable=true, 200",
    "hangs, /livez/serializable_read, 200",
    "hangs, /health?exclude=NOSPACE, 503",
    "refuses, /health, 503",
    "refuses, /livez, 200",
    "refuses, /readyz, 503",
    "full, /health, 503",
    "full, /health?exclude=NOSPACE, 200",
    "full, /readyz, 200",
    "full, /health?serializable=true, 503"
  })
  void probesAreTold(String state, String uri, int status) {
    stalled = state.equals("refuses");
    full = state.equals("full");
    waitNanos =
        switch (state) {
          case "hangs" -> StoreServices.DISK_PATIENCE_NANOS + 1;
          case "slow" -> StoreServices.DISK_PATIENCE_NANOS;
          default -> 0;
        };
    PageAnswer answer = pages.answer(PageRequest.of("GET", uri, "", true)).orElseThrow();
    assertThat(answer.status()).isEqualTo(status);
    String body = new String(answer.body(), StandardCharsets.UTF_8);
    if (status == 503 && state.equals("hangs")) {
      assertThat(body).contains("DISK HAS NOT ANSWERED FOR 5 S");
    }
  }
}
