// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreRecovered;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.bundle.Updates;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.restart.Looks;
import io.exaplane.operator.status.EventServer;
import io.exaplane.operator.storeshard.claim.ClaimCheck;
import io.exaplane.operator.storeshard.claim.ClaimGrowth;
import io.exaplane.operator.storeshard.restart.StoreRestarts;
import io.exaplane.operator.storeshard.usage.SpaceHolders;
import io.exaplane.operator.storeshard.usage.SpaceUse;
import io.exaplane.operator.storeshard.usage.SpaceUse.Level;
import io.exaplane.operator.storeshard.usage.StoreFigures;
import io.exaplane.operator.storeshard.usage.StoreUsage;
import io.exaplane.operator.storeshard.usage.StoreUsage.Traffic;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.managed.ManagedWorkflowAndDependentResourceContext;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a StoreShard says while its pod does not serve. Longer than others: the stories share one
 * store and its pod.
 */
class StoreStatusReporterTest {
  private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");

  private final StoreShard shard =
      Serialization.unmarshal(
          """
          apiVersion: exaplane.io/v1alpha1
          kind: StoreShard
          metadata: {name: demo-default, namespace: ns, uid: u, generation: 1}
          spec: {engine: Memory, criticality: Critical, storage: {type: PersistentVolume}, restart: {budget: {maxRestarts: 2}}, tls: {secretRef: {name: t}}}
          """,
          StoreShard.class);

  private final Map<Class<?>, Object> objects = new HashMap<>();
  private final Map<String, Object> found = new HashMap<>();
  private Update update = Updates.none();
  private Instant heard = NOON;

  private final EventServer events = new EventServer();

  @AfterEach
  void close() {
    events.close();
  }

  StoreStatusReporterTest() {
    objects.put(
        Secret.class,
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Secret
            metadata: {name: t, namespace: ns, labels: {exaplane.io/store-shard: demo-default}}
            data: {tls.crt: eA==, tls.key: eA==, ca.crt: eA==}
            """,
            Secret.class));
  }

  @Test
  void aProcessThatRefusesItsFilesIsQuoted() {
    objects.put(
        Pod.class,
        pod(
            "phase: Running, containerStatuses: [{name: store, ready: false, lastState: {terminated: {exitCode: 65, reason: Error, message: 'segment 3 is damaged at 512'}}, state: {waiting: {reason: CrashLoopBackOff}}}]"));
    assertThat(ready(0))
        .isEqualTo(
            "Pod demo-default-0: container store ended with code 65: segment 3 is damaged at 512; see 'kubectl -n ns logs demo-default-0 -c store --previous'");
  }

  /** Line 22: the check's last line has the next action. */
  @Test
  void whatHasToBeDoneBeforeAnEtcdStartsIsQuoted() {
    String ended =
        "terminated: {exitCode: 1, reason: Error, message: \"etcd 3.5; authentication is switched off, with 0 users, 0 roles\\nbefore etcd 3.7: its log has 9 requests as etcd 3.5 writes them; start etcd 3.6 on it\\n\"}";
    String told =
        "Pod demo-default-0: container etcd-check ended with code 1: before etcd 3.7: its log has 9 requests as etcd 3.5 writes them; start etcd 3.6 on it; see 'kubectl -n ns logs demo-default-0 -c etcd-check --previous'";
    String waits =
        "phase: Pending, initContainerStatuses: [{name: volume-guard, ready: true, state: {terminated: {exitCode: 0, reason: Completed, message: data-id=a}}}, {name: etcd-check, ready: false, %s}], containerStatuses: [{name: etcd, ready: false, state: {waiting: {reason: PodInitializing}}}]";
    objects.put(Pod.class, pod(waits.formatted("state: {" + ended + "}")));
    assertThat(ready(0)).isEqualTo(told);
    objects.put(
        Pod.class,
        pod(
            waits.formatted(
                "lastState: {" + ended + "}, state: {waiting: {reason: CrashLoopBackOff}}")));
    assertThat(ready(0)).isEqualTo(told);
  }

  /** Line 31: one read that is refused ends no status; this API server knows no nodes. */
  @Test
  void aNodeThatCannotBeReadIsToldAndStopsNothing() {
    Pod pod = pod("phase: Running, conditions: [{type: Ready, status: 'False'}]");
    pod.getSpec().setNodeName("w1");
    objects.put(Pod.class, pod);
    found.put(Outcomes.class.getName(), new Outcomes());
    assertThat(ready(0)).startsWith("Pod demo-default-0 is Running but not ready yet.");
    assertThat(told(StoreCondition.ReconciliationActive)).isEqualTo("False WriteRefused");
    assertThat(message(StoreCondition.ReconciliationActive)).contains("refuses to read Node");
  }

  /** A pass that fails is told; what was known before stays, and no store is called ready anew. */
  @Test
  void aPassThatFailedIsTold() {
    StoreShardStatus first =
        StoreStatusReporter.failed(
            shard, Refusals.of(new IllegalStateException("x")), Clock.fixed(NOON, ZoneOffset.UTC));
    shard.setStatus(first);
    assertThat(told(StoreCondition.ReconciliationActive)).isEqualTo("False WriteRefused");
    assertThat(told(StoreCondition.Stalled)).isEqualTo("True WriteRefused");
    shard.setStatus(null);
    objects.put(Pod.class, Looks.ready("demo-default-0", NOON.minusSeconds(90), 0, NOON));
    objects.put(StatefulSet.class, set("store:1", 1));
    ready(1);
    StoreShardStatus before = shard.getStatus();
    StoreShardStatus failed =
        StoreStatusReporter.failed(
            shard,
            Refusals.of(new KubernetesClientException("m", 503, null)),
            Clock.fixed(NOON.plusSeconds(9), ZoneOffset.UTC));
    shard.setStatus(failed);
    assertThat(told(StoreCondition.ReconciliationActive)).isEqualTo("False ReconcileFailed");
    assertThat(told(StoreCondition.Ready)).isEqualTo("True AsExpected");
    assertThat(StoreShardStatus.of(failed, before.conditions()))
        .as("all but the conditions")
        .isEqualTo(before);
    assertThat(
            StoreStatusReporter.failed(
                shard,
                Refusals.of(new KubernetesClientException("m", 503, null)),
                Clock.fixed(NOON.plusSeconds(20), ZoneOffset.UTC)))
        .as("the same failure again writes nothing")
        .isEqualTo(failed);
  }

  /** A NetworkPolicy that keeps the operator away from a store's port must not freeze figures. */
  @Test
  void figuresOfAStoreThatIsNotReachedAreUnknown() {
    objects.put(Pod.class, Looks.ready("demo-default-0", NOON.minusSeconds(90), 0, NOON));
    objects.put(StatefulSet.class, set("store:1", 1));
    objects.put(StoreUsage.class, usage(false, Level.FREE, Traffic.OBSERVED));
    ready(1);
    assertThat(told(StoreCondition.CapacityAvailable)).isEqualTo("True AsExpected");
    objects.remove(StoreUsage.class);
    heard = NOON.plusSeconds(10);
    ready(309);
    assertThat(told(StoreCondition.CapacityAvailable)).isEqualTo("True AsExpected");
    ready(311);
    for (StoreCondition type :
        List.of(
            StoreCondition.CapacityAvailable,
            StoreCondition.WalHealthy,
            StoreCondition.TrafficObserved)) {
      assertThat(told(type)).as(type.name()).isEqualTo("Unknown StoreUnavailable");
      assertThat(message(type)).contains("NetworkPolicy");
    }
    assertThat(told(StoreCondition.Ready)).isEqualTo("True AsExpected");
    objects.put(StoreUsage.class, usage(false, Level.FREE, Traffic.OBSERVED));
    ready(312);
    assertThat(told(StoreCondition.CapacityAvailable)).isEqualTo("True AsExpected");
  }

  private String message(StoreCondition type) {
    return shard.getStatus().conditions().stream()
        .filter(condition -> condition.type().equals(type.name()))
        .map(Condition::message)
        .findFirst()
        .orElse("");
  }

  @Test
  void aClaimThatIsPendingIsNamed() {
    objects.put(Pod.class, pod("phase: Pending"));
    objects.put(
        PersistentVolumeClaim.class,
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data-demo-default-0, namespace: ns, uid: c}
            spec: {storageClassName: fast}
            status: {phase: Pending}
            """,
            PersistentVolumeClaim.class));
    assertThat(ready(0)).contains("claim data-demo-default-0 is Pending, of StorageClass fast");
    events.say("c", "ProvisioningFailed", "no volume is that large");
    assertThat(ready(1))
        .contains("claim data-demo-default-0 is Pending, of StorageClass fast")
        .endsWith(
            "ProvisioningFailed: no volume is that large; change the StorageClass or the size, or repair the provisioner");
  }

  @Test
  void aPodThatStartsAsksForNothingForTwoMinutes() {
    objects.put(
        Pod.class,
        pod(
            "phase: Running, containerStatuses: [{name: store, ready: false, state: {running: {}}}]"));
    String starts = "Pod demo-default-0 is Running but not ready yet.";
    assertThat(ready(0)).isEqualTo(starts + " No action is needed.");
    assertThat(ready(119)).isEqualTo(starts + " No action is needed.");
    assertThat(ready(120))
        .isEqualTo(
            starts
                + " This has taken more than 2 minutes: container store runs but is not ready; see "
                + "'kubectl -n ns logs demo-default-0 -c store'");
    StoreShardStatus told = shard.getStatus();
    ready(900);
    assertThat(shard.getStatus()).as("a second look").isEqualTo(told);
    events.say("p", "Unhealthy", "Readiness probe failed: connection refused");
    assertThat(ready(901)).contains("Unhealthy: Readiness probe failed: connection refused; see");
  }

  /** Its pod runs and is not ready, and its page says why. */
  @Test
  void aStoreWhoseDiskIsFullSaysSoWithTheActionWhileItsPodIsNotReady() {
    objects.put(
        Pod.class,
        pod(
            "phase: Running, containerStatuses: [{name: store, ready: false, state: {running: {}}}]"));
    objects.put(StatefulSet.class, set("store:1", 0));
    objects.put(StoreUsage.class, usage(true, Level.SCARCE, Traffic.OBSERVED));
    assertThat(ready(0))
        .isEqualTo(
            "The store runs but takes no writes. The store cannot write its journal and refuses writes. Make room on the volume or enlarge it; see 'kubectl -n ns logs demo-default-0 -c store'.");
    assertThat(told(StoreCondition.Ready)).isEqualTo("False Starting");
    assertThat(told(StoreCondition.WalHealthy)).isEqualTo("False JournalStalled");
    assertThat(told(StoreCondition.CapacityAvailable)).isEqualTo("True SpaceScarce");
    assertThat(told(StoreCondition.TrafficObserved)).isEqualTo("True AsExpected");
    objects.put(StoreUsage.class, usage(false, Level.FREE, Traffic.OBSERVED));
    assertThat(ready(1)).startsWith("Pod demo-default-0 is Running but not ready yet.");
    assertThat(told(StoreCondition.WalHealthy)).isEqualTo("True AsExpected");
  }

  /** Without its Secret, or beside a claim that is not its own, a store does not start. */
  @Test
  void whatHoldsAStoreBackIsNamedAndHasItsReason() {
    found.put(
        ClaimCheck.class.getName(),
        "Claim data-demo-default-0 is of another store. Delete the claim.");
    assertThat(ready(0)).startsWith("Claim data-demo-default-0 is of another");
    assertThat(told(StoreCondition.Ready)).isEqualTo("False ClaimOfAnother");
    objects.put(
        Secret.class,
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Secret
            metadata: {name: t, namespace: ns, labels: {exaplane.io/store-shard: other}}
            data: {tls.crt: eA==, tls.key: eA==, ca.crt: eA==}
            """,
            Secret.class));
    assertThat(ready(0)).contains("the store does not start with it");
    assertThat(told(StoreCondition.Ready)).isEqualTo("False TLSSecretOfAnother");
    objects.remove(Secret.class);
    assertThat(ready(0)).startsWith("Secret t with tls.crt");
    assertThat(told(StoreCondition.Ready)).isEqualTo("False TLSSecretMissing");
  }

  /** What a store says of itself, a claim that grows, an update and refused writes. */
  @Test
  void eachConditionTurnsAndTurnsBack() {
    shard.setStatus(Serialization.unmarshal("dataLosses: 1", StoreShardStatus.class));
    objects.put(Pod.class, Looks.ready("demo-default-0", NOON.minusSeconds(90), 2, NOON));
    objects.put(StoreUsage.class, usage(true, Level.EXCEEDED, Traffic.NONE));
    objects.put(StatefulSet.class, set("store:0", 1));
    found.put(
        ClaimGrowth.class.getName(),
        new ClaimGrowth(
            ClaimGrowth.Step.VOLUME, new Quantity("10Gi"), new Quantity("20Gi"), Optional.empty()));
    update =
        new Update(
            Updates.none().of(), "b-0", false, true, false, List.of("store"), "b-0", List.of());
    Outcomes outcomes = new Outcomes();
    outcomes.refused(new KubernetesClientException("exceeded quota: q", 403, null));
    found.put(Outcomes.class.getName(), outcomes);
    ready(0);
    assertThat(told(StoreCondition.WalHealthy)).isEqualTo("False JournalStalled");
    assertThat(told(StoreCondition.CapacityAvailable)).isEqualTo("False SpaceExceeded");
    assertThat(told(StoreCondition.TrafficObserved)).isEqualTo("False NoTraffic");
    assertThat(told(StoreCondition.VolumeSized)).isEqualTo("False VolumeGrowing");
    assertThat(told(StoreCondition.UpToDate)).isEqualTo("False OperatorUpdatePending");
    assertThat(told(StoreCondition.OperatorUpdatePending)).isEqualTo("True UnsupportedBundle");
    assertThat(told(StoreCondition.ConfigurationValid)).isEqualTo("False UnsupportedBundle");
    assertThat(told(StoreCondition.ReconciliationActive)).isEqualTo("False WriteRefused");
    assertThat(told(StoreCondition.RestartBudgetAvailable)).isEqualTo("False RestartsHeld");
    assertThat(told(StoreCondition.DataIntact)).isEqualTo("False StoreDataLost");
    shard.setStatus(null);
    objects.put(Pod.class, Looks.ready("demo-default-0", NOON.minusSeconds(90), 0, NOON));
    objects.put(StoreUsage.class, usage(false, Level.FREE, Traffic.OBSERVED));
    objects.put(StatefulSet.class, set("store:1", 1));
    found.put(
        ClaimGrowth.class.getName(),
        new ClaimGrowth(
            ClaimGrowth.Step.DONE, new Quantity("20Gi"), new Quantity("20Gi"), Optional.empty()));
    update = Updates.none();
    found.remove(Outcomes.class.getName());
    ready(1);
    for (StoreCondition type :
        List.of(
            StoreCondition.Ready,
            StoreCondition.DataIntact,
            StoreCondition.WalHealthy,
            StoreCondition.CapacityAvailable,
            StoreCondition.TrafficObserved,
            StoreCondition.VolumeSized,
            StoreCondition.UpToDate,
            StoreCondition.ConfigurationValid,
            StoreCondition.RestartBudgetAvailable,
            StoreCondition.ReconciliationActive)) {
      assertThat(told(type)).as(type.name()).isEqualTo("True AsExpected");
    }
    assertThat(told(StoreCondition.OperatorUpdatePending)).isEqualTo("False AsExpected");
  }

  private static StoreUsage usage(boolean stalled, Level level, Traffic traffic) {
    return new StoreUsage(
        10_000_000,
        stalled,
        new SpaceUse(level, SpaceUse.Limit.QUOTA, null, 99, 100),
        SpaceHolders.UNKNOWN,
        traffic,
        new StoreFigures(7, 7L, 1, 1, 99, 100, 40L, 50L, 0, NOON, StoreRecovered.values()[0]));
  }

  private StatefulSet set(String image, int ready) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: demo-default, namespace: ns, generation: 1, ownerReferences: [{apiVersion: exaplane.io/v1alpha1, kind: StoreShard, name: demo-default, uid: u, controller: true}]}
        spec: {replicas: 1, updateStrategy: {type: OnDelete}, template: {spec: {containers: [{name: store, image: "%s"}]}}, volumeClaimTemplates: [{metadata: {name: data}}]}
        status: {observedGeneration: 1, currentRevision: a, updateRevision: a, replicas: 1, readyReplicas: %d}
        """
            .formatted(image, ready),
        StatefulSet.class);
  }

  private String told(StoreCondition type) {
    return shard.getStatus().conditions().stream()
        .filter(condition -> condition.type().equals(type.name()))
        .map(condition -> condition.status() + " " + condition.reason())
        .findFirst()
        .orElse("");
  }

  private String ready(long seconds) {
    StoreStatusReporter reporter =
        new StoreStatusReporter(
            shard,
            context(),
            "store:1",
            update,
            Clock.fixed(NOON.plusSeconds(seconds), ZoneOffset.UTC));
    reporter.heard(heard);
    StoreShardStatus status =
        reporter.status(
            StoreRestarts.plan(
                shard,
                Optional.empty(),
                Optional.ofNullable((Pod) objects.get(Pod.class)),
                Optional.ofNullable((Secret) objects.get(Secret.class)),
                true,
                NOON.plusSeconds(seconds)));
    shard.setStatus(status);
    return status.conditions().stream()
        .filter(condition -> condition.type().equals(StoreCondition.Ready.name()))
        .map(Condition::message)
        .findFirst()
        .orElseThrow();
  }

  /** Knows one object of each type, and of no objection to the claim; asks no cluster. */
  @SuppressWarnings("unchecked")
  private Context<StoreShard> context() {
    ManagedWorkflowAndDependentResourceContext workflow =
        fake(
            ManagedWorkflowAndDependentResourceContext.class,
            Map.of(
                "get",
                args ->
                    Optional.ofNullable(found.get(args[0]))
                        .filter(((Class<?>) args[1])::isInstance),
                "put",
                args -> args[1]));
    return fake(
        Context.class,
        Map.of(
            "getSecondaryResource",
            arguments -> Optional.ofNullable(objects.get((Class<?>) arguments[0])),
            "getClient",
            _ -> events.client(),
            "managedWorkflowAndDependentResourceContext",
            _ -> workflow));
  }

  private static <T> T fake(Class<T> type, Map<String, Function<Object[], Object>> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              assertThat(answers).as("what is asked for").containsKey(method.getName());
              return answers.get(method.getName()).apply(arguments);
            }));
  }

  private static Pod pod(String status) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: demo-default-0, namespace: ns, uid: p}
        spec: {containers: [{name: store, image: i}]}
        status: {%s}
        """
            .formatted(status),
        Pod.class);
  }
}
