// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
