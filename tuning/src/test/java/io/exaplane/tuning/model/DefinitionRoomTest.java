// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DefinitionRoomTest {
  private static final double MIB = 1 << 20;
  private static final DefinitionCost COST = new DefinitionCost(300, 30, 18_000, 2e6, 155 * MIB);

  private static DefinitionRoom room(double liveMib, double limitMib) {
    return new DefinitionRoom(COST, liveMib * MIB, limitMib * MIB);
  }

  @Test
  void definitionsFitUpToTheRoomyPartOfTheLimit() {
    assertThat(room(170, 544).tooMany()).isFalse();
    assertThat(room(289, 544).tooMany()).as("a tenth is not alive any more").isFalse();
    assertThat(room(291, 544).tooMany()).as("416 MiB leave the collector room").isTrue();
    assertThat(room(170, 544).needAndRoom())
        .isEqualTo(
            "300 new definitions take about 155 MiB of each kube-apiserver's live heap, which is"
                + " 170 MiB of at most 416 MiB (GOMEMLIMIT is 544 MiB)");
    assertThat(room(270, 544).wantedLimitBytes()).isEqualTo(768 * MIB);
  }

  @Test
  void whatNobodyKnowsHoldsNothing() {
    for (DefinitionRoom one : new DefinitionRoom[] {room(-1, 544), room(500, -1), room(0, 0)}) {
      assertThat(one.isKnown()).isFalse();
      assertThat(one.tooMany()).isFalse();
      assertThat(one.need()).startsWith("300 new definitions take about 155 MiB");
    }
  }
}
