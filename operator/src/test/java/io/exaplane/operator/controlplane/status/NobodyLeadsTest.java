// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.AnsweringApi.Answer;
import io.exaplane.operator.AnsweringApi.Asked;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.hosted.LeaderLooks;
import io.exaplane.operator.controlplane.hosted.LeaderProbe;
import io.exaplane.operator.controlplane.hosted.Leaders;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.nodepool.NodePools.SetClock;
import io.exaplane.operator.status.ConditionSet;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Line 33: looks at an API whose Leases nobody holds or renews, and that may refuse the operator's
 * own; and what the conditions make of these looks.
 */
class NobodyLeadsTest {
  private static final String WEBHOOK =
      "Internal error occurred: failed calling webhook \"w.example\": failed to call webhook:"
          + " Post \"https://w.ns.svc:443/v\": service \"w\" not found";
  private static final String MANAGER = "kube-system/kube-controller-manager";
  private static final String SCHEDULER = "kube-system/kube-scheduler";

  /** A Lease holds for 15 s, the next look is 10 s later, and the grace is 20 s. */
  private static final int CERTAIN = 7;

  private final SetClock clock = new SetClock();
  private final LeaderLooks looks = new LeaderLooks(clock);

  /** Renewals of each Lease, by namespace and name; one without an entry does not exist. */
  private final Map<String, Integer> leases = new ConcurrentHashMap<>();

  private final Queue<String> written = new ConcurrentLinkedQueue<>();
  private final Queue<String> read = new ConcurrentLinkedQueue<>();
  private volatile String holder = "pod_1";
  private volatile int readCode = 200;
  private volatile int writeCode = 200;
  private volatile String words = "";
  private ControlPlane controlPlane = controlPlane("");
  private AnsweringApi api;

  @BeforeEach
  void serve() throws Exception {
    api = new AnsweringApi(this::answer);
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void leadersThatRenewProveThatTheApiTakesWrites() {
    leases.putAll(Map.of(MANAGER, 1, SCHEDULER, 1));
    for (int i = 0; i < CERTAIN; i++) {
      assertThat(look()).containsExactly(Leaders.UNKNOWN);
      leases.replaceAll((_, renewals) -> renewals + 1);
    }
    assertThat(written).as("nothing of the operator's").isEmpty();
    assertThat(conditions()).containsEntry(ConditionType.Available, "True AsExpected");
  }

  /** What a webhook on Leases does: nobody can renew, and the operator cannot write either. */
  @Test
  void aWebhookOnLeasesIsNamed() {
    leases.putAll(Map.of(MANAGER, 1, SCHEDULER, 1));
    refuse(500, WEBHOOK);
    Leaders leaders = settled();
    assertThat(leaders.controllerManager()).isFalse();
    assertThat(leaders.scheduler()).isFalse();
    assertThat(leaders.writeProblem()).contains("w.example", "Repair the webhook");
    assertThat(conditions())
        .containsEntry(ConditionType.ControllerManagerAvailable, "False NobodyInCharge")
        .containsEntry(ConditionType.SchedulerAvailable, "False NobodyInCharge")
        .containsEntry(ConditionType.Degraded, "True NobodyInCharge")
        .containsEntry(ConditionType.Available, "False NobodyInCharge");
    assertThat(message(ConditionType.Available)).contains("refuses writes", "w.example");
    assertThat(message(ConditionType.SchedulerAvailable)).contains("w.example");
    assertThat(written).isNotEmpty().allMatch("kube-system/exaplane-write-check"::equals);
    writeCode = 200;
    leases.replaceAll((_, renewals) -> renewals + 1);
    assertThat(look()).containsExactly(Leaders.UNKNOWN);
    assertThat(conditions()).containsEntry(ConditionType.Available, "True AsExpected");
  }

  /** A Lease that nobody has, and an API that takes writes: the components are to blame. */
  @ParameterizedTest
  @CsvSource({"free", "stale", "missing"})
  void anApiThatTakesWritesIsAvailableThoughNobodyLeads(String how) {
    if (!how.equals("missing")) {
      leases.putAll(Map.of(MANAGER, 1, SCHEDULER, 1));
    }
    holder = how.equals("free") ? "" : "pod_1";
    assertThat(settled()).isEqualTo(new Leaders(false, false, ""));
    assertThat(conditions())
        .containsEntry(ConditionType.ControllerManagerAvailable, "False NobodyInCharge")
        .containsEntry(ConditionType.Degraded, "True NobodyInCharge")
        .containsEntry(ConditionType.Available, "True AsExpected");
    assertThat(message(ConditionType.SchedulerAvailable))
        .contains("kubectl -n ns logs deployment/");
  }

  @Test
  void oneThatLeadsIsNotToldWithTheOther() {
    leases.putAll(Map.of(MANAGER, 1, SCHEDULER, 1));
    Leaders leaders = Leaders.UNKNOWN;
    for (int i = 0; i < CERTAIN; i++) {
      leaders = look().iterator().next();
      leases.merge(MANAGER, 1, Integer::sum);
    }
    assertThat(leaders).isEqualTo(new Leaders(true, false, ""));
    assertThat(conditions())
        .containsEntry(ConditionType.ControllerManagerAvailable, "True AsExpected")
        .containsEntry(ConditionType.SchedulerAvailable, "False NobodyInCharge");
    assertThat(message(ConditionType.Degraded))
        .contains("kube-scheduler")
        .doesNotContain("manager");
  }

  /** Each refusal that does not pass by itself, with words of who refuses. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "403 | leases.coordination.k8s.io \"exaplane-write-check\" is forbidden: exceeded quota: small, requested: count/leases.coordination.k8s.io=1, used: 3, limited: 3 | ResourceQuota small",
        "403 | admission webhook \"w.example\" denied the request: no Leases | Webhook w.example",
        "422 | ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no Leases | ValidatingAdmissionPolicy p",
        "500 | etcdserver: mvcc: database space exceeded | store",
      })
  void whoRefusesTheWriteIsTold(int code, String message, String who) {
    refuse(code, message);
    assertThat(settled().writeProblem()).contains(who);
    assertThat(conditions()).containsEntry(ConditionType.Available, "False NobodyInCharge");
    assertThat(message(ConditionType.Available)).contains(who);
  }

  /** A server that is busy for a moment does not turn a condition, in either direction. */
  @Test
  void aRefusalThatPassesChangesNothing() {
    refuse(503, "the server is currently unable to handle the request");
    assertThat(settled()).isEqualTo(new Leaders(false, false, ""));
    refuse(500, WEBHOOK);
    String named = look().iterator().next().writeProblem();
    assertThat(named).contains("w.example");
    refuse(429, "Too many requests, please try again later.");
    assertThat(look().iterator().next().writeProblem()).isEqualTo(named);
    writeCode = 200;
    assertThat(look().iterator().next().writeProblem()).isEmpty();
  }

  /** An API that falls silent says nothing new: the last verdict counts. */
  @Test
  void aSilentApiKeepsTheLastVerdict() {
    readCode = 500;
    assertThat(look()).as("nothing was ever seen").isEmpty();
    readCode = 200;
    Leaders before = settled();
    assertThat(before).isEqualTo(new Leaders(false, false, ""));
    readCode = 503;
    assertThat(look()).containsExactly(before);
    assertThat(
            looks.look(
                controlPlane,
                () -> {
                  throw new KubernetesClientException("the connection is closed");
                }))
        .containsExactly(before);
    looks.forget(controlPlane);
    assertThat(look()).as("of one that is gone nothing is known").isEmpty();
  }

  /** Flags that move a Lease: that one is looked at, and the default one is not. */
  @Test
  void theLeaseOfTheFlagsIsLookedAt() {
    controlPlane =
        controlPlane(
            ", scheduler: {extraArgs: [{name: leader-elect-resource-namespace, value: n},"
                + " {name: leader-elect-resource-name, value: b}]}");
    leases.putAll(Map.of(MANAGER, 1, "n/b", 1));
    for (int i = 0; i < CERTAIN; i++) {
      assertThat(look()).containsExactly(Leaders.UNKNOWN);
      leases.replaceAll((_, renewals) -> renewals + 1);
    }
    assertThat(Set.copyOf(read)).containsExactlyInAnyOrder(MANAGER, "n/b");
    assertThat(settled()).isEqualTo(new Leaders(false, false, ""));
    assertThat(message(ConditionType.SchedulerAvailable)).contains("the Lease n/b in the hosted");
    assertThat(message(ConditionType.ControllerManagerAvailable)).contains("the Lease " + MANAGER);
  }

  private void refuse(int code, String message) {
    writeCode = code;
    words = message;
  }

  /** Looks until what is seen is certain. */
  private Leaders settled() {
    Set<Leaders> last = Set.of();
    for (int i = 0; i < CERTAIN; i++) {
      last = look();
    }
    return last.iterator().next();
  }

  private Set<Leaders> look() {
    clock.go(LeaderProbe.PERIOD);
    return looks.look(controlPlane, api::client);
  }

  private Answer answer(Asked request) {
    String[] parts = request.path().split("/");
    String lease = parts[parts.length - 3] + "/" + parts[parts.length - 1];
    if (!request.reads()) {
      written.add(lease);
      return writeCode == 200 ? new Answer(200, request.body()) : status(writeCode, words);
    }
    read.add(lease);
    if (readCode != 200) {
      return status(readCode, "no answer");
    }
    Integer renewals = leases.get(lease);
    return renewals == null
        ? status(404, "leases.coordination.k8s.io \"%s\" not found".formatted(lease))
        : new Answer(200, lease(renewals));
  }

  private String lease(int renewals) {
    return Serialization.asJson(
        new LeaseBuilder()
            .withNewSpec()
            .withHolderIdentity(holder)
            .withLeaseDurationSeconds(15)
            .withRenewTime(Instant.EPOCH.plusSeconds(renewals).atZone(ZoneOffset.UTC))
            .endSpec()
            .build());
  }

  private static Answer status(int code, String message) {
    return new Answer(
        code,
        Serialization.asJson(
            new StatusBuilder().withStatus("Failure").withCode(code).withMessage(message).build()));
  }

  private static ControlPlane controlPlane(String more) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: ControlPlane
        metadata: {name: demo, namespace: ns, uid: u, generation: 1}
        spec: {version: 1.36.3, maxNodes: 10%s}
        status:
          conditions:
          - {type: ControllerManagerAvailable, status: "True", reason: AsExpected, message: "Runs."}
          - {type: SchedulerAvailable, status: "True", reason: AsExpected, message: "Runs."}
        """
            .formatted(more),
        ControlPlane.class);
  }

  /** After the next look, of a control plane that is well otherwise. */
  private ConditionSet told() {
    ConditionSet conditions = new ConditionSet(null, 1L, clock);
    for (ConditionType type : ConditionType.values()) {
      conditions.set(type, type != ConditionType.Degraded, Reason.AsExpected, "Check nothing.");
    }
    LeaderConditions.report(
        conditions,
        new Observed(
            Fixtures.sized(controlPlane),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Fixtures.nothingIssued(),
            Optional.empty(),
            List.of(),
            List.of(),
            new Scheduling(Optional.empty(), Optional.empty(), false)),
        looks.look(controlPlane, api::client).iterator().next());
    return conditions;
  }

  private Map<ConditionType, String> conditions() {
    Map<ConditionType, String> all = new HashMap<>();
    for (Condition each : told().build()) {
      all.put(ConditionType.valueOf(each.type()), each.status() + " " + each.reason());
    }
    return all;
  }

  private String message(ConditionType type) {
    return told().current(type).orElseThrow().message();
  }
}
