// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus.Tree;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.bundle.Updates;
import io.exaplane.operator.schedulerpool.Pools;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.hosted.PoolView;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.schedulerpool.observe.PoolRestarts;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
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

class PoolStatusReporterTest {
  private static final String IMAGE = "s:1";
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static Pod root(int number, boolean ready, String more) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p-root-%d, namespace: ns, labels: {app.kubernetes.io/component: root}}
        status: {conditions: [{type: Ready, status: "%s", lastTransitionTime: "2026-01-01T00:00:00Z"}], %s}
        """
            .formatted(number, ready ? "True" : "False", more),
        Pod.class);
  }

  private static SchedulerPoolStatus status(
      SchedulerPool pool, PoolView view, long nodes, Pod... pods) {
    return reporterAt(NOON, pool, view, nodes, pods).status();
  }

  private record Told(SchedulerPoolStatus status, Optional<Duration> again) {}

  private static Told reporterAt(
      Instant now, SchedulerPool pool, PoolView view, long nodes, Pod... pods) {
    return reporterAt(now, pool, view, nodes, Map.of(), pods);
  }

  private static Told reporterAt(
      Instant now,
      SchedulerPool pool,
      PoolView view,
      long nodes,
      Map<String, StatefulSet> sets,
      Pod... pods) {
    PoolTarget target =
        new PoolTarget("s", "e", "", Optional.empty(), Optional.of("1.36.3"), nodes, 30 * nodes);
    PoolObserved observed =
        new PoolObserved(
            pool,
            Optional.of(target),
            Optional.empty(),
            Optional.of(view),
            Optional.empty(),
            sets,
            Optional.empty(),
            List.of(pods),
            List.of(),
            Optional.empty(),
            List.of());
    PoolStatusReporter reporter = new PoolStatusReporter(pool, Clock.fixed(now, ZoneOffset.UTC));
    SchedulerPoolStatus status = reporter.status(observed, false, IMAGE, Updates.none(), List.of());
    return new Told(status, reporter.untilPatienceEnds());
  }

  /** "No action is needed" has an end, and the reconciler comes back then. */
  @Test
  void patienceHasALimit() {
    SchedulerPool pool = Pools.pool("");
    PoolView nobody = new PoolView("", "", "", false, Optional.empty());
    Told first = reporterAt(NOON, pool, nobody, 100);
    assertThat(available(first.status())).endsWith("No action is needed.");
    assertThat(first.again()).contains(Duration.ofMillis(120_100));
    pool.setStatus(first.status());
    assertThat(reporterAt(NOON.plusSeconds(119), pool, nobody, 100).status())
        .isEqualTo(first.status());
    Told late = reporterAt(NOON.plusSeconds(120), pool, nobody, 100);
    for (PoolCondition type : List.of(PoolCondition.Available, PoolCondition.Progressing)) {
      assertThat(condition(late.status(), type).message())
          .doesNotContain("No action is needed")
          .contains(
              "more than 2 minutes: see the conditions and Events in 'kubectl -n ns describe");
    }
    assertThat(late.again()).isEmpty();
    pool.setStatus(late.status());
    assertThat(reporterAt(NOON.plusSeconds(900), pool, nobody, 100).status())
        .as("a second look")
        .isEqualTo(late.status());
    StatefulSet refused =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: p-root, namespace: ns}
            spec: {replicas: 2, template: {spec: {containers: [{name: root, image: 'i:1'}]}}}
            status: {replicas: 0, conditions: [{type: ReplicaFailure, status: "True", message: "exceeded quota: q"}]}
            """,
            StatefulSet.class);
    assertThat(
            available(
                reporterAt(NOON.plusSeconds(900), pool, nobody, 100, Map.of("p-root", refused))
                    .status()))
        .contains("StatefulSet p-root cannot create its pods: exceeded quota: q; change the quota");
    Pod running = root(0, false, "containerStatuses: [{name: root, state: {running: {}}}]");
    assertThat(available(reporterAt(NOON.plusSeconds(900), pool, nobody, 100, running).status()))
        .endsWith("see 'kubectl -n ns logs p-root-0 -c root'");
  }

  /** Many pods take long, and that is no trouble while one after the other comes. */
  @Test
  void aRolloutThatGoesOnAsksForNothing() {
    SchedulerPool pool = Pools.pool("");
    PoolView up = held("p-root-0", null);
    pool.setStatus(reporterAt(NOON, pool, up, 100, root(0, true, "")).status());
    Pod made = root(1, false, "containerStatuses: [{name: root, state: {running: {}}}]");
    made.getMetadata().setCreationTimestamp(NOON.plusSeconds(500).toString());
    Pod ready = root(0, true, "");
    assertThat(
            condition(
                    reporterAt(NOON.plusSeconds(619), pool, up, 100, ready, made).status(),
                    PoolCondition.Progressing)
                .message())
        .endsWith("No action is needed.");
    assertThat(
            condition(
                    reporterAt(NOON.plusSeconds(620), pool, up, 100, ready, made).status(),
                    PoolCondition.Progressing)
                .message())
        .endsWith("see 'kubectl -n ns logs p-root-1 -c root'");
  }

  private static PoolView held(String holder, Tree tree) {
    return new PoolView("", "1.36.3", holder, true, Optional.ofNullable(tree));
  }

  private static Condition condition(SchedulerPoolStatus status, PoolCondition type) {
    return status.conditions().stream()
        .filter(condition -> condition.type().equals(type.name()))
        .findFirst()
        .orElseThrow();
  }

  private static String available(SchedulerPoolStatus status) {
    Condition condition = condition(status, PoolCondition.Available);
    return condition.status() + " " + condition.reason() + " " + condition.message();
  }

  @Test
  void whoIsInChargeDecides() {
    SchedulerPool pool = Pools.pool("");
    SchedulerPoolStatus up = status(pool, held("p-root-1", null), 100, root(1, true, ""));
    assertThat(available(up)).startsWith("True AsExpected Pod p-root-1 is in charge");
    assertThat(up.leader()).isEqualTo("p-root-1");
    assertThat(available(status(pool, held("p-root-1", null), 100, root(1, false, ""))))
        .startsWith("False Creating Pod p-root-1 is in charge and is reading");
    assertThat(available(status(pool, held("p-fallback-5-x", null), 100)))
        .startsWith("False FallbackInCharge");
    assertThat(available(status(pool, held("demo-scheduler-5-x", null), 100)))
        .startsWith(
            "False AnotherInCharge demo-scheduler-5-x holds the Lease kube-system/kube-scheduler");
    assertThat(
            available(status(pool, new PoolView("", "", "p-root-1", false, Optional.empty()), 1)))
        .startsWith("False Creating No root");
    assertThat(
            available(status(pool, new PoolView("no answer", "", "", false, Optional.empty()), 1)))
        .startsWith("Unknown NotReached");
  }

  @Test
  void whatWasThereIsMissedAndSinceWhen() {
    SchedulerPool pool = Pools.pool("");
    PoolView nobody = new PoolView("", "1.36.3", "p-root-1", false, Optional.empty());
    pool.setStatus(status(pool, held("p-root-1", null), 100, root(1, true, "")));
    pool.setStatus(status(pool, nobody, 100));
    assertThat(available(pool.getStatus())).startsWith("False NobodyInCharge");
    assertThat(condition(pool.getStatus(), PoolCondition.Degraded).message())
        .isEqualTo("The pool places no pods. See Available for the next action.");
    assertThat(available(status(pool, held("p-root-1", null), 100, root(1, false, ""))))
        .as("the next root has the Lease and reads the cluster")
        .startsWith("False NotInStep Pod p-root-1 is in charge and is reading");
    assertThat(condition(pool.getStatus(), PoolCondition.LeaseHeld).lastTransitionTime())
        .isEqualTo(NOON.toString());
    assertThat(status(pool, nobody, 100)).as("a second look").isEqualTo(pool.getStatus());
  }

  @Test
  void podsSayWhatTheirProcessSaidLast() {
    PoolView nobody = new PoolView("", "", "", false, Optional.empty());
    String ended =
        "containerStatuses: [{name: root, ready: false, lastState: {terminated: {exitCode: 2, reason: Error, message: \"INFO a\\n--config: no\\n\\tat x\\n\"}}, state: {waiting: {reason: CrashLoopBackOff}}}]";
    assertThat(available(status(Pools.pool(""), nobody, 100, root(0, false, ended))))
        .contains(
            "Of the roots, pod p-root-0: container root ended with code 2: --config: no; see 'kubectl -n ");
    String killed =
        "containerStatuses: [{name: root, ready: false, lastState: {terminated: {exitCode: 137, reason: OOMKilled}}, state: {waiting: {reason: CrashLoopBackOff}}}]";
    assertThat(available(status(Pools.pool(""), nobody, 100, root(0, false, killed))))
        .contains(
            "pod p-root-0: container root was killed for its memory (OOMKilled); raise the memory limit of the container.");
  }

  @Test
  void aTreeIsFormedWhenAllAreMembersAndKnowAllNodes() {
    SchedulerPool pool = Pools.pool("shards: {replicas: 4}, relays: {fanOut: 2}");
    assertThat(tree(pool, new Tree(2, 4, 100, 25, 25, true))).isEqualTo("True AsExpected");
    assertThat(tree(pool, new Tree(2, 4, 90, 20, 25, false))).isEqualTo("False MembersMissing");
    assertThat(tree(pool, new Tree(1, 4, 100, 25, 25, true))).isEqualTo("False MembersMissing");
    assertThat(tree(pool, null)).as("its page does not answer").isEqualTo("Unknown NotReached");
    assertThat(tree(Pools.pool(""), null)).isEqualTo("True NoShards");
  }

  /**
   * One of which all is well, and then one whose spec is wrong while a kube-scheduler stands in.
   */
  @Test
  void eachConditionTurnsAndTurnsBack() {
    SchedulerPool pool = Pools.pool("");
    StatefulSet root =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: p-root, namespace: ns, generation: 1}
            spec: {replicas: 2, template: {spec: {containers: [{name: root, image: '%s'}]}}}
            status: {observedGeneration: 1, replicas: 2, readyReplicas: 2, updatedReplicas: 2, currentRevision: a, updateRevision: a}
            """
                .formatted(IMAGE),
            StatefulSet.class);
    PoolView held = held("p-root-0", null);
    PoolObserved well =
        new PoolObserved(
            pool,
            Optional.of(
                new PoolTarget("s", "e", "", Optional.empty(), Optional.of("1.36.3"), 10, 300)),
            Optional.empty(),
            Optional.of(held),
            Optional.empty(),
            Map.of("p-root", root),
            Optional.empty(),
            List.of(root(0, true, "")),
            List.of(),
            Optional.empty(),
            List.of());
    pool.setStatus(told(well, Updates.none()));
    for (PoolCondition type :
        List.of(
            PoolCondition.Available,
            PoolCondition.ConfigurationValid,
            PoolCondition.FallbackInactive,
            PoolCondition.UpToDate,
            PoolCondition.RestartBudgetAvailable)) {
      assertThat(condition(pool.getStatus(), type).status()).as(type.name()).isEqualTo("True");
    }
    assertThat(condition(pool.getStatus(), PoolCondition.Progressing).status()).isEqualTo("False");
    PoolObserved wrong =
        new PoolObserved(
            pool,
            Optional.empty(),
            PoolTarget.find(pool, Optional.empty(), _ -> null).missing(),
            Optional.of(held),
            Optional.empty(),
            Map.of("p-root", root),
            Optional.of(new Deployment()),
            List.of(root(0, true, "")),
            List.of(),
            Optional.empty(),
            List.of());
    SchedulerPoolStatus status =
        told(
            wrong,
            new Update(
                Updates.none().of(),
                "b-0",
                false,
                false,
                false,
                List.of("p-root"),
                "b-0",
                List.of()));
    assertThat(condition(status, PoolCondition.ConfigurationValid).reason())
        .isEqualTo("ControlPlaneMissing");
    assertThat(condition(status, PoolCondition.Progressing).reason())
        .isEqualTo("ControlPlaneMissing");
    assertThat(condition(status, PoolCondition.FallbackInactive).reason())
        .isEqualTo("FallbackInCharge");
    assertThat(condition(status, PoolCondition.Degraded).reason()).isEqualTo("FallbackInCharge");
    assertThat(condition(status, PoolCondition.OperatorUpdatePending).status()).isEqualTo("True");
  }

  private static SchedulerPoolStatus told(PoolObserved observed, Update update) {
    PoolStatusReporter reporter =
        new PoolStatusReporter(observed.pool(), Clock.fixed(NOON, ZoneOffset.UTC));
    reporter.restarts(PoolRestarts.plan(observed, true, NOON));
    return reporter.status(observed, false, IMAGE, update, List.of());
  }

  private static String tree(SchedulerPool pool, Tree tree) {
    Condition condition =
        condition(
            status(pool, held("p-root-0", tree), 100, root(0, true, "")), PoolCondition.TreeFormed);
    return condition.status() + " " + condition.reason();
  }

  @Test
  void manyNodesCallForShards() {
    assertThat(sizing("", 50_000)).isEqualTo("True");
    assertThat(sizing("", 50_001)).isEqualTo("False");
    assertThat(sizing("shards: {replicas: 2}", 100_000)).isEqualTo("True");
    assertThat(sizing("shards: {replicas: 19}", 1_000_000)).isEqualTo("False");
    assertThat(sizing("shards: {replicas: 20}", 1_000_000)).isEqualTo("True");
  }

  private static String sizing(String spec, long nodes) {
    return condition(
            status(Pools.pool(spec), held("p-root-0", null), nodes), PoolCondition.SizingValid)
        .status();
  }
}
