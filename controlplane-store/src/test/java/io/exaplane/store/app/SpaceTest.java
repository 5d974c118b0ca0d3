// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.SpaceLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpaceTest {
  private static final int USUAL = Space.USUAL_REQUEST_BYTES;

  @Test
  void theSmallerOfQuotaAndMemoryCounts() {
    long mostBytes = Space.limits(0, 0, USUAL).recordBytes();
    assertThat(Space.limits(mostBytes - 1, 0, USUAL).recordBytes()).isEqualTo(mostBytes - 1);
    assertThat(Space.limits(0, 1, USUAL).recordBytes()).isLessThan(mostBytes);
    assertThat(Space.limits(Long.MAX_VALUE, 0, USUAL).recordBytes()).isEqualTo(mostBytes);
    assertThat(Space.limits(0, 0, 16 << 20).recordBytes())
        .as("values of half a segment may leave half of it empty")
        .isBetween((long) (0.5 * mostBytes), (long) (0.6 * mostBytes));
  }

  @ParameterizedTest
  @CsvSource({"600, 0", "2048, 0", "2048, 100", "16384, 0", "16384, 8000", "1048576, 0"})
  void theReserveLiesWithinTheMemory(long memoryMib, long quotaMib) {
    long heap = memoryMib << 18;
    SpaceLimits limits = Space.limits(memoryMib << 20, heap, quotaMib << 20, 0, USUAL);
    long records = limits.recordBytes() + limits.recordReserve();
    long free = (memoryMib << 20) - heap - (256L << 20);
    assertThat(records).isLessThanOrEqualTo((long) (0.65 * free));
    assertThat(limits.indexBytes() + limits.indexReserve()).isLessThanOrEqualTo(heap / 3);
    assertThat(limits.recordReserve())
        .as("two large requests, or a part")
        .isGreaterThanOrEqualTo(Math.max(2L * USUAL, limits.recordBytes() / 33));
    if (quotaMib == 0) {
      assertThat(records).as("nothing is given away").isGreaterThan((long) (0.64 * free));
    }
  }
}
