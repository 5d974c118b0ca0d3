// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.storeshard.claim.ClaimGrowth.Step;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 6 (g): a store's claim grows in place, and what happens to it is said. */
class ClaimGrowthTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # asked | made with | claim asks | volume has | PVC condition           | class    | step        | usable
          10Gi    | 10Gi      | 10Gi       | 10Gi       |                         | grows    | NONE        | 10Gi
          10Gi    | 10Gi      | 10Gi       | 9Gi        |                         | grows    | NONE        | 10Gi
          10240Mi | 10Gi      | 10Gi       | 10Gi       |                         | grows    | NONE        | 10240Mi
          20Gi    | 10Gi      | 10Gi       | 10Gi       |                         | grows    | TO_ASK      | 10Gi
          20Gi    | 10Gi      | 10Gi       | 10Gi       |                         | fixed    | FORBIDDEN   | 10Gi
          20Gi    | 10Gi      | 10Gi       | 10Gi       |                         | gone     | FORBIDDEN   | 10Gi
          20Gi    | 10Gi      | 20Gi       | 10Gi       |                         | grows    | VOLUME      | 10Gi
          20Gi    | 10Gi      | 20Gi       | 10Gi       | Resizing                | grows    | VOLUME      | 10Gi
          20Gi    | 10Gi      | 20Gi       | 10Gi       | ControllerResizeError   | grows    | VOLUME      | 10Gi
          20Gi    | 10Gi      | 20Gi       | 10Gi       | FileSystemResizePending | grows    | FILE_SYSTEM | 10Gi
          20Gi    | 10Gi      | 20Gi       | 20Gi       |                         | grows    | DONE        | 20Gi
          20Gi    | 10Gi      | 20Gi       | 21Gi       |                         | fixed    | DONE        | 20Gi
          30Gi    | 10Gi      | 20Gi       | 20Gi       |                         | grows    | TO_ASK      | 20Gi
          30Gi    | 10Gi      | 20Gi       | -          |                         | grows    | TO_ASK      | 20Gi
          20Gi    | 10Gi      | 30Gi       | 30Gi       |                         | grows    | DONE        | 20Gi
          20Gi    | 10Gi      | 30Gi       | 10Gi       | ControllerResizeError   | grows    | TO_ASK      | 10Gi
          20Gi    | 10Gi      | 30Gi       | 10Gi       | NodeResizeError         | grows    | TO_ASK      | 10Gi
          20Gi    | 10Gi      | 30Gi       | 10Gi       |                         | grows    | VOLUME      | 10Gi
          10Gi    | 10Gi      | 30Gi       | 10Gi       | ControllerResizeError   | grows    | NONE        | 10Gi
          15Gi    | 10Gi      | 30Gi       | 15Gi       | ControllerResizeError   | grows    | DONE        | 15Gi
          """)
  void whereAClaimIs(
      String asked,
      String made,
      String claimAsks,
      String has,
      String condition,
      String storageClass,
      Step step,
      String usable) {
    StoreShard shard = shard(asked);
    Optional<StatefulSet> set = Optional.of(set(made));
    Optional<PersistentVolumeClaim> claim =
        Optional.of(claim(claimAsks, has, condition, storageClass));
    ClaimGrowth growth =
        ClaimGrowth.of(shard, set, claim, ClaimGrowthTest::classes, Optional.empty());
    assertThat(growth.step()).isEqualTo(step);
    assertThat(growth.isMet()).isEqualTo(step == Step.DONE);
    assertThat(ClaimGrowth.usable(shard, set, claim).getSpec().storage().size())
        .hasToString(usable);
    if (step != Step.NONE && step != Step.DONE) {
      assertThat(growth.message(shard))
          .contains("data-s-0 has ", ", and the spec asks for " + asked);
    }
    if (step == Step.FORBIDDEN) {
      assertThat(growth.reason()).isEqualTo(Reason.VolumeCantGrow);
      assertThat(growth.message(shard))
          .contains("StorageClass " + storageClass, "allowVolumeExpansion", "continues with");
    }
    if (step == Step.FORBIDDEN) {
      assertThat(growth.message(shard)).endsWith("set spec.storage.size back to " + usable + ".");
      shard.getMetadata().setLabels(Map.of("exaplane.io/control-plane", "demo"));
      assertThat(growth.message(shard))
          .endsWith("in spec.storage.stores of ControlPlane demo, back to %s.".formatted(usable));
    }
    if (step == Step.VOLUME && "ControllerResizeError".equals(condition)) {
      assertThat(growth.message(shard)).contains("It fails: no space left in the pool");
    }
  }

  @Test
  void aRefusalIsToldInItsOwnWords() {
    ClaimGrowth growth =
        ClaimGrowth.of(
            shard("20Gi"),
            Optional.of(set("10Gi")),
            Optional.of(claim("10Gi", "10Gi", null, "grows")),
            ClaimGrowthTest::classes,
            Optional.of("exceeded quota: q, requested: requests.storage=10Gi"));
    assertThat(growth.step()).isEqualTo(Step.REFUSED);
    assertThat(growth.isStuck()).isTrue();
    assertThat(growth.message(shard("20Gi"))).contains("exceeded quota: q", "tries again");
  }

  @Test
  void whatIsNotThereOrNotOnAVolumeDoesNotGrow() {
    StoreShard shard = shard("20Gi");
    Optional<PersistentVolumeClaim> claim = Optional.of(claim("10Gi", "10Gi", null, "grows"));
    assertThat(step(shard, Optional.empty(), claim)).isEqualTo(Step.NONE);
    assertThat(step(shard, Optional.of(set("10Gi")), Optional.empty())).isEqualTo(Step.NONE);
    StatefulSet without = set("10Gi");
    without.getSpec().setVolumeClaimTemplates(List.of());
    assertThat(step(shard, Optional.of(without), claim)).isEqualTo(Step.NONE);
  }

  @Test
  void onlyTheRequestIsWritten() {
    assertThat(
            ClaimGrowth.patch(
                claim("10Gi", "10Gi", null, "grows"), shard("20Gi").getSpec().storage().size()))
        .isEqualTo(
            "{\"metadata\":{\"uid\":\"c\"},\"spec\":{\"resources\":{\"requests\":{\"storage\":\"20Gi\"}}}}");
  }

  private static Step step(
      StoreShard shard, Optional<StatefulSet> set, Optional<PersistentVolumeClaim> claim) {
    return ClaimGrowth.of(shard, set, claim, ClaimGrowthTest::classes, Optional.empty()).step();
  }

  private static List<StorageClass> classes() {
    return List.of(storageClass("grows", true), storageClass("fixed", false));
  }

  private static StorageClass storageClass(String name, boolean grows) {
    return Serialization.unmarshal(
        """
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: {name: %s}
        provisioner: p
        allowVolumeExpansion: %s
        """
            .formatted(name, grows),
        StorageClass.class);
  }

  private static StoreShard shard(String size) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: s, namespace: ns, uid: u}
        spec: {engine: Memory, criticality: Critical, storage: {type: PersistentVolume, size: %s}, tls: {secretRef: {name: t}}}
        """
            .formatted(size),
        StoreShard.class);
  }

  private static StatefulSet set(String size) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: s, namespace: ns}
        spec: {volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: %s}}}}]}
        """
            .formatted(size),
        StatefulSet.class);
  }

  private static PersistentVolumeClaim claim(
      String asks, String has, String condition, String storageClass) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: data-s-0, namespace: ns, uid: c}
        spec: {storageClassName: %s, resources: {requests: {storage: %s}}}
        status: {phase: Bound%s%s}
        """
            .formatted(
                storageClass,
                asks,
                has.equals("-") ? "" : ", capacity: {storage: " + has + "}",
                condition == null
                    ? ""
                    : ", conditions: [{type: %s, status: 'True', message: no space left in the pool}]"
                        .formatted(condition)),
        PersistentVolumeClaim.class);
  }
}
