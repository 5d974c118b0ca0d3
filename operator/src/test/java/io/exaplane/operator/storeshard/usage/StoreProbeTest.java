// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.storeshard.usage.StoreUsage.Space;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreProbeTest {
  private static String page(long revision, int stalled, int exceeded, double bytes) {
    return """
    # HELP exaplane_store_revision The newest revision.
    # TYPE exaplane_store_revision gauge
    exaplane_store_revision %d.0
    exaplane_store_kind_keys{kind="pods",prefix=""} 7.0
    exaplane_store_journal_stalled %d.0
    exaplane_store_space_exceeded %d.0
    exaplane_store_record_bytes %s
    etcd_server_quota_backend_bytes 1.0E9
    """
        .formatted(revision, stalled, exceeded, bytes);
  }

  @ParameterizedTest
  @CsvSource({"1,10000000", "4999999,10000000", "5000000,15000000", "123456789,130000000"})
  void theFloorIsFarAboveAndSeldomMoves(long revision, long floor) {
    assertThat(StoreProbe.parse(page(revision, 0, 0, 1)))
        .containsExactly(new StoreUsage(floor, false, Space.FREE));
  }

  @Test
  void spaceAndDiskAreSeen() {
    assertThat(StoreProbe.parse(page(1, 1, 0, 8.6E8)))
        .containsExactly(new StoreUsage(10_000_000, true, Space.SCARCE));
    assertThat(StoreProbe.parse(page(1, 0, 1, 1E9)))
        .containsExactly(new StoreUsage(10_000_000, false, Space.EXCEEDED));
  }

  @Test
  void whatIsNotKnownIsNotGuessed() {
    assertThat(StoreProbe.parse("")).isEmpty();
    assertThat(StoreProbe.parse(page(0, 1, 0, 0))).isEmpty();
    assertThat(StoreProbe.parse(page(1, 0, 0, 1).replace("exaplane_store_journal_stalled", "x")))
        .isEmpty();
  }
}
