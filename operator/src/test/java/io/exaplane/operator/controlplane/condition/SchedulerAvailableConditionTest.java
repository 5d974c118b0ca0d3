// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.schedulerpool.Pools;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who places pods while a SchedulerPool is to do it. */
class SchedulerAvailableConditionTest {
  @ParameterizedTest
  @CsvSource({
    // the pool's Available (- for no pool), handed over, ready kube-schedulers, True, reason, words
    "-,     false, 1, true,  WaitingForPool,  kube-scheduler places pods meanwhile",
    "-,     false, 0, false, WaitingForPool,  does not exist",
    "False, false, 1, true,  WaitingForPool,  takes over when one of its roots is ready",
    "True,  true,  0, true,  PoolInCharge,    SchedulerPool p: m",
    "False, true,  0, false, PoolUnavailable, SchedulerPool p: m",
    "-,     true,  0, false, PoolUnavailable, 'Create the pool, or set'",
  })
  void whoPlacesPodsIsSaid(
      String available, boolean handedOver, int ready, boolean met, Reason reason, String words) {
    Scheduling scheduling =
        new Scheduling(
            Optional.of("p"),
            available.equals("-") ? Optional.empty() : Optional.of(pool(available)),
            handedOver);
    Observed observed =
        new Observed(
            Fixtures.sized(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 10, scheduling: {mode: Pool, poolRef: {name: p}}}")),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Fixtures.nothingIssued(),
            Optional.empty(),
            List.of(scheduler(ready)),
            List.of(),
            scheduling);
    Verdict verdict = SchedulerAvailableCondition.of(observed, false);
    assertThat(verdict.met()).isEqualTo(met);
    assertThat(verdict.reason()).isEqualTo(reason);
    assertThat(verdict.message()).contains(words);
  }

  private static SchedulerPool pool(String available) {
    SchedulerPool pool = Pools.pool("");
    pool.setStatus(
        Serialization.unmarshal(
            "conditions: [{type: Available, status: '%s', reason: x, message: m}]"
                .formatted(available),
            SchedulerPoolStatus.class));
    return pool;
  }

  private static Deployment scheduler(int ready) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: demo-scheduler, namespace: ns}
        spec: {replicas: 1}
        status: {readyReplicas: %d}
        """
            .formatted(ready),
        Deployment.class);
  }
}
