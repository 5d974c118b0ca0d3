// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.schedulerpool.Pools;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchedulingTest {
  private static final String BY_POOL =
      "{version: 1.36.3, maxNodes: 100, scheduling: {mode: Pool, poolRef: {name: p}}}";

  private static SchedulerPool pool(String spec, int readyRoots) {
    SchedulerPool pool = Pools.pool(spec);
    pool.setStatus(
        Serialization.unmarshal(
            "roots: {replicas: 2, ready: %d, updated: 2, summary: x}".formatted(readyRoots),
            io.exaplane.api.v1alpha1.SchedulerPoolStatus.class));
    return pool;
  }

  private static boolean handedOver(String spec, SchedulerPool... pools) {
    return Scheduling.of(Fixtures.controlPlane(spec), List.of(pools), false).handedOver();
  }

  @Test
  void kubeSchedulerStaysUntilAPoolIsReadyThatFits() {
    assertThat(handedOver("{version: 1.36.3, maxNodes: 100}", pool("", 2))).isFalse();
    assertThat(handedOver(BY_POOL)).isFalse();
    assertThat(handedOver(BY_POOL, pool("", 0))).isFalse();
    assertThat(handedOver(BY_POOL, pool("schedulerName: batch", 2))).isFalse();
    assertThat(handedOver(BY_POOL, pool("", 1))).isTrue();
  }

  @Test
  void onceGoneItStaysAwayWhateverBecomesOfThePool() {
    ControlPlane controlPlane = Fixtures.controlPlane(BY_POOL);
    controlPlane.setStatus(was("PoolUnavailable"));
    assertThat(Scheduling.of(controlPlane, List.of(), false).handedOver()).isTrue();
    controlPlane.setStatus(was("AsExpected"));
    assertThat(Scheduling.of(controlPlane, List.of(), false).handedOver()).isFalse();
    ControlPlane back = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 100}");
    back.setStatus(was("PoolInCharge"));
    assertThat(Scheduling.of(back, List.of(pool("", 2)), false).handedOver()).isFalse();
  }

  @Test
  void whatIsWaitedForIsNamedAndNothingChangesOnHold() {
    ControlPlane controlPlane = Fixtures.controlPlane(BY_POOL);
    assertThat(Scheduling.of(controlPlane, List.of(), false).awaited())
        .get()
        .asString()
        .contains("SchedulerPool p does not exist");
    assertThat(Scheduling.of(controlPlane, List.of(pool("", 0)), false).awaited())
        .get()
        .asString()
        .contains("takes over when one of its roots is ready");
    assertThat(Scheduling.of(controlPlane, List.of(pool("", 2)), true).handedOver()).isFalse();
    controlPlane.setStatus(was("PoolInCharge"));
    assertThat(Scheduling.of(controlPlane, List.of(), true).handedOver()).isTrue();
  }

  private static ControlPlaneStatus was(String reason) {
    Condition condition =
        new Condition("SchedulerAvailable", "True", reason, "", "2026-01-01T00:00:00Z", 1L);
    return new ControlPlaneStatus(
        1L, null, null, null, null, null, null, null, null, null, null, null, List.of(condition));
  }
}
