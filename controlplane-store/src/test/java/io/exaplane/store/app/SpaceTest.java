// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpaceTest {
  @Test
  void theSmallerOfQuotaAndMemoryCounts() {
    long mostBytes = Space.limits(0, 0).recordBytes();
    assertThat(Space.limits(mostBytes - 1, 0).recordBytes()).isEqualTo(mostBytes - 1);
    assertThat(Space.limits(0, 1).recordBytes()).isLessThan(mostBytes);
    assertThat(Space.limits(Long.MAX_VALUE, 0).recordBytes()).isEqualTo(mostBytes);
  }
}
