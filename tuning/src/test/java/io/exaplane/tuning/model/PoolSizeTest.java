// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PoolSizeTest {
  @Test
  void shardsAreAdvisedOneForFiftyThousandNodes() {
    assertThat(PoolSize.of(50_000, 0, 0).advisedShards()).isZero();
    assertThat(PoolSize.of(50_001, 0, 0).advisedShards()).isEqualTo(2);
    assertThat(PoolSize.of(1_000_000, 0, 0).advisedShards()).isEqualTo(20);
  }

  @Test
  void aRootKnowsAllPodsAndAShardItsNodes() {
    PoolSize size = PoolSize.of(1_000_000, 30_000_000, 20);
    assertThat(size.rootMemory() / Bytes.GIB).isBetween(30.0, 31.0);
    assertThat(size.shardMemory() / Bytes.MIB).isEqualTo(384);
    assertThat(PoolSize.of(1, 0, 0).rootMemory() / Bytes.MIB).isEqualTo(320);
  }
}
