// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreDataLoss;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The story of a store's data, as its pods' guards tell it. */
class DataLifeTest {
  private static final Instant NOW = Instant.parse("2026-11-26T10:00:00Z");

  private StoreShard shard = shard("Critical", "{}");

  @Test
  void theFirstPodSaysWhichDataThereIs() {
    assertThat(next(Optional.empty())).isEqualTo(new DataRecord(null, null));
    assertThat(next(starting())).isEqualTo(new DataRecord(null, null));
    assertThat(tell(next(passed("data-a")))).isEqualTo(new DataRecord("data-a", null));
    assertThat(expected()).isEqualTo("data-a");
  }

  @Test
  void whatIsKnownStaysWhileNobodySaysAnythingElse() {
    tell(new DataRecord("data-a", null));
    assertThat(next(Optional.empty()).dataId()).isEqualTo("data-a");
    assertThat(next(starting()).dataId()).isEqualTo("data-a");
    assertThat(next(passed("data-a")).loss()).isNull();
  }

  @Test
  void aVolumeWithoutTheDataIsALossThatStaysUntilItIsBack() {
    tell(new DataRecord("data-a", null));
    StoreDataLoss loss = tell(next(held("an empty volume"))).loss();
    assertThat(loss.incident()).matches("demo-default-[0-9a-f]{8}");
    assertThat(loss.since()).isEqualTo(NOW.toString());
    assertThat(loss.found()).isEqualTo("an empty volume");
    assertThat(loss.lastRevision()).isEqualTo(4711);
    assertThat(expected()).as("the next pod is held, too").isEqualTo("data-a");
    assertThat(next(NOW.plusSeconds(99), held("an empty volume")).loss()).isEqualTo(loss);
    assertThat(next(NOW.plusSeconds(99), Optional.empty()).loss()).isEqualTo(loss);
    assertThat(next(passed("data-a")))
        .as("the volume is back")
        .isEqualTo(new DataRecord("data-a", null));
  }

  @Test
  void anAcceptedLossIsGoodForThatOneLoss() {
    tell(new DataRecord("data-a", null));
    StoreDataLoss loss = tell(next(held("an empty volume"))).loss();
    annotate("another, " + loss.incident());
    assertThat(tell(next(held("an empty volume"))).loss().wasAccepted()).isTrue();
    assertThat(expected())
        .as("the next pod starts with what it finds")
        .isEqualTo("accepted:" + loss.incident());
    assertThat(tell(next(passed("data-b")))).isEqualTo(new DataRecord("data-b", null));
    assertThat(expected()).isEqualTo("data-b");
    DataRecord again = next(NOW.plusSeconds(60), held("an empty volume"));
    assertThat(again.loss().wasAccepted()).isFalse();
    assertThat(again.loss().incident()).isNotEqualTo(loss.incident());
  }

  @Test
  void aLossThatWasAcceptedAndNotNeededAcceptsNoLaterOneOfTheSameData() {
    tell(new DataRecord("data-a", null));
    annotate(tell(next(held("an empty volume"))).loss().incident());
    tell(next(passed("data-a")));
    assertThat(next(NOW.plusSeconds(1), held("an empty volume")).loss().wasAccepted()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"''", "yes", "demo-default", "demo-default-00000000"})
  void anythingElseAcceptsNothing(String text) {
    tell(new DataRecord("data-a", null));
    tell(next(held("an empty volume")));
    annotate(text);
    assertThat(next(held("an empty volume")).loss().wasAccepted()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"Critical,Hold,data-a", "Critical,StartEmpty,''", "BestEffort,Hold,''"})
  void whoAsksForItStartsWithWhatThereIs(String criticality, String policy, String expected) {
    shard = shard(criticality, "{dataId: data-a}");
    shard.setSpec(
        Serialization.unmarshal(
                Serialization.asYaml(shard).replace("tls:", "onDataLoss: " + policy + "\n  tls:"),
                StoreShard.class)
            .getSpec());
    assertThat(expected()).isEqualTo(expected);
  }

  @Test
  void whatTheControlPlaneKnowsOutlivesTheStoreShard() {
    shard.getMetadata().setAnnotations(Map.of(DataRecord.KNOWN_ANNOTATION, "data-a"));
    assertThat(expected()).isEqualTo("data-a");
    assertThat(next(held("an empty volume")).dataId()).isEqualTo("data-a");
    assertThat(next(held("an empty volume")).loss()).isNotNull();
  }

  @Test
  void whatPodsWereToldOutlivesTheStatus() {
    assertThat(DataRecord.expected(shard, Optional.of("data-a"))).isEqualTo("data-a");
    tell(new DataRecord("data-b", null));
    assertThat(DataRecord.expected(shard, Optional.of("data-a"))).isEqualTo("data-b");
  }

  @Test
  void aPodWithoutAGuardIsKnownByItsVolume() {
    tell(new DataRecord("claim-1", null));
    Pod old = pod("{containers: [{name: store}]}", "{}");
    assertThat(DataLife.next(shard, Optional.of(old), Optional.of("claim-1"), null, NOW).dataId())
        .isEqualTo("claim-1");
    assertThat(DataLife.next(shard, Optional.of(old), Optional.of("claim-2"), null, NOW).dataId())
        .isEqualTo("claim-2");
    assertThat(DataLife.next(shard, Optional.of(old), Optional.empty(), null, NOW).dataId())
        .isEqualTo("claim-1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {dataId: data-a}                                                            | 0
          {dataId: data-a, revision: 4711}                                            | 4711
          {dataId: data-a, revision: 4711, dataLoss: {incident: i}}                   | 4711
          {dataId: data-a, revision: 4711, dataLoss: {incident: i, accepted: true}}   | 0
          {dataId: data-a, revision: 4711, durableRevision: 42}                       | 42
          """)
  void theStoreIsHeldToTheNewestRevisionThatWasSeen(String status, long least) {
    assertThat(DataRecord.leastRevision(shard("Critical", status))).isEqualTo(least);
    assertThat(DataRecord.leastRevision(shard("BestEffort", status))).isZero();
  }

  /** Its newest revision may be that of a key in memory: no start finds it. */
  @Test
  void aStoreOfAnOlderVersionIsNotHeldToRevisionsThatItMayLose() {
    StoreShard losing = shard("Critical", "{dataId: data-a, revision: 4711}");
    StoreShardSpec spec =
        Serialization.unmarshal(
            """
            engine: Memory
            memory: {prefixes: [{prefix: /registry/events/, durability: Memory}]}
            """,
            StoreShardSpec.class);
    losing.setSpec(spec);
    assertThat(DataRecord.leastRevision(losing)).isZero();
  }

  @Test
  void anOlderCopyOfTheDataIsALossToo() {
    tell(new DataRecord("data-a", null));
    Pod pod =
        pod(
            "{containers: [{name: store}], initContainers: [{name: volume-guard}]}",
            "{initContainerStatuses: [{name: volume-guard, image: i, imageID: i, ready: true, restartCount: 0, state: {terminated: {exitCode: 0, message: 'data-id=data-a'}}}],"
                + " containerStatuses: [{name: store, image: i, imageID: i, ready: false, restartCount: 1, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 66, message: x}}}]}");
    assertThat(next(Optional.of(pod)).loss().found()).isEqualTo("an older copy of its data");
    pod.getStatus().getContainerStatuses().getFirst().setReady(true);
    assertThat(next(Optional.of(pod)).loss()).as("the newest is back").isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {state: {terminated: {exitCode: 0, message: "data-id=a"}}}                                    | a    | ''
          {state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 3, message: "held: b"}}} | ''   | b
          {state: {running: {}}, lastState: {terminated: {exitCode: 3, message: "held: b"}}}            | ''   | b
          {state: {terminated: {exitCode: 0, message: "data-id=a"}}, lastState: {terminated: {exitCode: 3, message: "held: b"}}} | a | ''
          {state: {terminated: {exitCode: 1, message: "Exception in thread main"}}}                     | none | none
          {state: {terminated: {exitCode: 0}}}                                                          | none | none
          {state: {waiting: {reason: PodInitializing}}}                                                 | none | none
          """)
  void theGuardsLastWordIsRead(String status, String dataId, String found) {
    Optional<GuardReport> report =
        GuardReport.of(
            pod(
                "{containers: [], initContainers: [{name: volume-guard}]}",
                "{initContainerStatuses: [{name: volume-guard, image: i, imageID: i, ready: true, restartCount: 0, %s]}"
                    .formatted(status.substring(1))));
    if (dataId.equals("none")) {
      assertThat(report).isEmpty();
    } else {
      assertThat(report)
          .contains(
              new GuardReport(dataId.isEmpty() ? null : dataId, found.isEmpty() ? null : found));
    }
  }

  private DataRecord next(Optional<Pod> pod) {
    return next(NOW, pod);
  }

  private DataRecord next(Instant now, Optional<Pod> pod) {
    return DataLife.next(shard, pod, Optional.of("claim-9"), 4711L, now);
  }

  private DataRecord tell(DataRecord record) {
    Map<String, String> annotations = shard.getMetadata().getAnnotations();
    shard = shard("Critical", Serialization.asJson(new Told(record.dataId(), record.loss())));
    shard.getMetadata().setAnnotations(annotations);
    return DataRecord.known(shard);
  }

  private record Told(String dataId, StoreDataLoss dataLoss) {}

  private void annotate(String text) {
    shard.getMetadata().setAnnotations(Map.of(DataRecord.ACCEPT_ANNOTATION, text));
  }

  private String expected() {
    return DataRecord.expected(shard, Optional.empty());
  }

  private static Optional<Pod> starting() {
    return Optional.of(pod("{containers: [], initContainers: [{name: volume-guard}]}", "{}"));
  }

  private static Optional<Pod> passed(String id) {
    return guard("{terminated: {exitCode: 0, message: \"data-id=%s\"}}".formatted(id));
  }

  private static Optional<Pod> held(String found) {
    return guard("{terminated: {exitCode: 3, message: \"held: %s\"}}".formatted(found));
  }

  private static Optional<Pod> guard(String state) {
    return Optional.of(
        pod(
            "{containers: [], initContainers: [{name: volume-guard}]}",
            "{initContainerStatuses: [{name: volume-guard, image: i, imageID: i, ready: true, restartCount: 0, state: %s}]}"
                .formatted(state)));
  }

  private static Pod pod(String spec, String status) {
    return Serialization.unmarshal(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: demo-default-0}\nspec: %s\nstatus: %s\n"
            .formatted(spec, status),
        Pod.class);
  }

  private static StoreShard shard(String criticality, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: demo-default, namespace: ns, uid: u}
        spec: {engine: Memory, criticality: %s, tls: {secretRef: {name: t}}}
        status: %s
        """
            .formatted(criticality, status),
        StoreShard.class);
  }
}
