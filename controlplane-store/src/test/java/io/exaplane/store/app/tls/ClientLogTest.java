// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientLogTest {
  private final List<String> info = new ArrayList<>();
  private final List<String> warning = new ArrayList<>();
  private long nowNanos = -5;
  private final ClientLog log = new ClientLog(info::add, warning::add, () -> nowNanos);

  @Test
  void aClientIsNamedOnceAMinuteWithItsNumber() {
    for (int i = 0; i < 100; i++) {
      log.connected("CN=a", "192.0.2.1");
    }
    assertThat(info).containsExactly("client CN=a connected from 192.0.2.1");
    nowNanos += Duration.ofSeconds(61).toNanos();
    log.connected("CN=a", "192.0.2.1");
    assertThat(info.getLast()).endsWith("(and 99 times since the last line)");
    log.connected("CN=a", "192.0.2.2");
    log.refused("CN=a", "192.0.2.2", "of no use");
    assertThat(info).hasSize(3);
    assertThat(warning).containsExactly("refused client CN=a from 192.0.2.2: of no use");
  }

  @Test
  void clientsFromEverywhereFillNoLog() {
    for (int i = 0; i < 10_000; i++) {
      log.refused("CN=" + i, "192.0.2.1", "of no use");
    }
    assertThat(warning).hasSize(61);
    assertThat(warning.getLast()).contains("names clients again in a minute");
    nowNanos += Duration.ofSeconds(61).toNanos();
    log.refused("CN=b", "192.0.2.1", "of no use");
    assertThat(warning).hasSize(62);
  }
}
