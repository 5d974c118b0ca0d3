// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.schedulerpool.Pools;
import org.junit.jupiter.api.Test;

class ResourceCheckTest {
  @Test
  void aRequestIsNotAboveItsLimit() {
    assertThat(
            ResourceCheck.problem(
                Pools.pool(
                        "roots: {resources: {requests: {cpu: 100m, memory: 1Gi}, limits: {cpu: 1, memory: 1024Mi}}}")
                    .getSpec()))
        .isEmpty();
    assertThat(
            ResourceCheck.problem(
                Pools.pool(
                        "shards: {resources: {requests: {memory: 2Gi}, limits: {memory: 1000M}}}")
                    .getSpec()))
        .get()
        .asString()
        .contains(
            "spec.shards.resources", "memory, 2Gi, is above its limit, 1000M", "lower the request");
  }

  @Test
  void versionsAreComparedByNumber() {
    assertThat(PoolObserver.isNewer("1.36.10", "1.36.9")).isTrue();
    assertThat(PoolObserver.isNewer("1.35.10", "1.36.0")).isFalse();
    assertThat(PoolObserver.isNewer("1.36.0", "1.36.0")).isFalse();
  }
}
