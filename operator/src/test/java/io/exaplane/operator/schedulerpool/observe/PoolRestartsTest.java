// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus;
import io.exaplane.operator.bundle.Updates;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.restart.Looks;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.schedulerpool.Pools;
import io.exaplane.operator.schedulerpool.condition.RestartBudgetAvailableCondition;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.hosted.PoolView;
import io.exaplane.operator.schedulerpool.status.PoolStatusReporter;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolRestartsTest {
  private static final Instant NOON = Looks.NOON;
  private static final Instant OLD = NOON.minus(Duration.ofDays(1));

  private final SchedulerPool pool = Pools.pool("restart: {budget: {maxRestarts: 2}}");

  @Test
  void rootsAreReplacedWhenTheirApiIsBackAndShardsAreLeftAlone() {
    Pod root = of(Tier.ROOT, Looks.waits("p-root-0", OLD, 9, NOON.minusSeconds(30)));
    Pod shard = of(Tier.SHARD, Looks.waits("p-shard-0", OLD, 1, NOON.minusSeconds(30)));
    assertThat(plan(hosted("False", NOON.minusSeconds(60)), root, shard).replaced()).isEmpty();
    assertThat(plan(hosted("True", NOON.minusSeconds(5)), root, shard).replaced())
        .hasValueSatisfying(pod -> assertThat(pod.pod()).isEqualTo("p-root-0"));
    RestartPlan own = plan(hosted("True", OLD.plusSeconds(9)), shard);
    assertThat(own.replaced()).isEmpty();
    assertThat(RestartBudgetAvailableCondition.of(pool, own).reason())
        .isEqualTo(Reason.CrashLooping);
    assertThat(own.verdict("").message()).startsWith("shard fails by itself");
  }

  /** Of a cluster that is not Exaplane's nobody knows since when it serves. */
  @Test
  void anotherClustersRootsAreNamedWhileItAnswers() {
    Pod root = of(Tier.ROOT, Looks.waits("p-root-0", OLD, 1, NOON.minusSeconds(30)));
    assertThat(plan(Optional.empty(), true, root).verdict("").reason())
        .isEqualTo(Reason.CrashLooping);
    assertThat(plan(Optional.empty(), false, root).verdict("").reason())
        .isEqualTo(Reason.AsExpected);
  }

  @Test
  void theStatusKeepsWhatWasCounted() {
    Pod killed = of(Tier.SHARD, Looks.ready("p-shard-0", NOON.minusSeconds(90), 2, NOON));
    PoolObserved observed = observed(Optional.empty(), true, killed);
    PoolStatusReporter reporter = new PoolStatusReporter(pool, Clock.fixed(NOON, ZoneOffset.UTC));
    reporter.restarts(PoolRestarts.plan(observed, true, NOON));
    SchedulerPoolStatus status = reporter.status(observed, false, "i:1", Updates.none(), List.of());
    assertThat(status.conditions())
        .anySatisfy(
            condition -> {
              assertThat(condition.type()).isEqualTo(PoolCondition.RestartBudgetAvailable.name());
              assertThat(condition.reason()).isEqualTo(Reason.RestartsHeld.name());
              assertThat(condition.message())
                  .contains(
                      "shard restarted 2 times within 10m", "annotate --overwrite schedulerpool p");
            });
    pool.setStatus(status);
    assertThat(
            new PoolStatusReporter(pool, Clock.fixed(NOON, ZoneOffset.UTC))
                .failed(Refusals.of(new IllegalStateException("x")))
                .restart())
        .isEqualTo(status.restart())
        .isNotNull();
    assertThat(
            new PoolStatusReporter(pool, Clock.fixed(NOON, ZoneOffset.UTC))
                .status(observed, true, "i:1", Updates.none(), List.of())
                .restart())
        .as("while it is paused")
        .isEqualTo(status.restart());
  }

  private RestartPlan plan(ControlPlane hosted, Pod... pods) {
    return plan(Optional.of(hosted), true, pods);
  }

  private RestartPlan plan(Optional<ControlPlane> hosted, boolean answers, Pod... pods) {
    return PoolRestarts.plan(observed(hosted, answers, pods), true, NOON);
  }

  private PoolObserved observed(Optional<ControlPlane> hosted, boolean answers, Pod... pods) {
    PoolNames names = new PoolNames(pool);
    return new PoolObserved(
        pool,
        Optional.of(new PoolTarget("s", "e", "", hosted, Optional.of("1.36.3"), 10, 300)),
        Optional.empty(),
        Optional.of(new PoolView(answers ? "" : "gone", "1.36.3", "", false, Optional.empty())),
        Optional.empty(),
        Map.of(
            names.of(Tier.ROOT),
            set(names.of(Tier.ROOT)),
            names.of(Tier.SHARD),
            set(names.of(Tier.SHARD))),
        Optional.empty(),
        List.of(pods),
        List.of(),
        Optional.empty(),
        List.of());
  }

  private static StatefulSet set(String name) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: %s, namespace: ns, generation: 1}
        spec: {replicas: 1, template: {metadata: {}, spec: {containers: [{name: c, image: 'i:1'}]}}}
        """
            .formatted(name),
        StatefulSet.class);
  }

  private Pod of(Tier tier, Pod pod) {
    pod.getMetadata().setLabels(new PoolNames(pool).selector(tier));
    return pod;
  }

  private static ControlPlane hosted(String available, Instant since) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: ControlPlane
        metadata: {name: demo, namespace: ns}
        spec: {version: 1.36.3, maxNodes: 10}
        status: {conditions: [{type: Available, status: "%s", reason: AsExpected, message: "It.", lastTransitionTime: "%s"}]}
        """
            .formatted(available, since),
        ControlPlane.class);
  }
}
