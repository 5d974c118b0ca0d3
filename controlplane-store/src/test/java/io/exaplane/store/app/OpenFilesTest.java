// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.wire.door.Places.Limits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many connections there may be, by open files (7., line 21). */
class OpenFilesTest {
  private static final ConnectionFlags.Bounds ASKED =
      new ConnectionFlags.Bounds(
          new Limits(1000, 750, "asked"), new Limits(256, 64, "asked"), 1, 1, ClearPages.ALL);

  @ParameterizedTest
  @CsvSource({"1000000, 1000, 256", "2048, 1000, 256", "1024, 665, 221", "200, 47, 15", "64, 8, 8"})
  void aReserveIsKept(long most, int clients, int probes) {
    int open = 70;
    ConnectionFlags.Bounds bounds = new OpenFiles(most, open).bound(ASKED, 1);
    assertThat(bounds.clients().total()).isEqualTo(clients);
    assertThat(bounds.probes().total()).isEqualTo(probes);
    assertThat(bounds.clients().perSource()).isLessThanOrEqualTo(clients);
    if (most >= 200) {
      assertThat(most - open - clients - probes).isGreaterThanOrEqualTo(OpenFiles.RESERVE);
    }
  }
}
