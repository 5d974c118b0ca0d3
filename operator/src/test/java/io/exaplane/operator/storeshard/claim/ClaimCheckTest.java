// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which claims a store may take, and what is written on its own. */
class ClaimCheckTest {
  private static final String OURS =
      "app.kubernetes.io/managed-by=exaplane exaplane.io/store-shard=demo-default";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // labels of the claim | the store's control plane | what is said
        OURS + " exaplane.io/control-plane=demo | demo |",
        OURS + "                                |      |",
        "''                                     | demo | has no record of a store with this name",
        "app=own                                |      | has no record of a store with this name",
        "exaplane.io/store-shard=demo-default exaplane.io/control-plane=demo | demo | has no record",
        OURS + "                                | demo | belonged to no ControlPlane",
        OURS + " exaplane.io/control-plane=demo |      | of a store of ControlPlane demo",
        OURS + " exaplane.io/control-plane=demo | other | of a store of ControlPlane demo",
        "app.kubernetes.io/managed-by=exaplane exaplane.io/store-shard=other exaplane.io/control-plane=demo | demo | has no record",
      })
  void aStoreTakesWhatOneOfItsNameLeft(String labels, String controlPlane, String objection) {
    StoreShard shard = shard(controlPlane);
    Optional<String> found = ClaimCheck.objection(shard, claim(labels));
    assertThat(found.isPresent()).as("%s", found).isEqualTo(objection != null);
    if (found.isPresent()) {
      assertThat(found.get())
          .contains(
              objection, "'kubectl -n ns delete pvc data-demo-default-0'", "label --overwrite pvc");
    }
  }

  /** Who restores a volume from a backup labels its claim as the message says. */
  @ParameterizedTest
  @CsvSource(
      value = {"demo", "NULL"},
      nullValues = "NULL")
  void theLabelsThatTheMessageNamesAreEnough(String controlPlane) {
    StoreShard shard = shard(controlPlane);
    String message = ClaimCheck.objection(shard, claim("")).orElseThrow();
    String command =
        message.replaceAll("(?s).*--overwrite pvc data-demo-default-0 ([^']*)'.*", "$1");
    String labels = command.replaceAll("\\S+-( |$)", "").trim();
    assertThat(ClaimCheck.objection(shard, claim(labels))).isEmpty();
  }

  @Test
  void enginesDontReadEachOthersData() {
    StoreShard shard = shard("demo");
    PersistentVolumeClaim claim = claim(OURS + " exaplane.io/control-plane=demo");
    claim.getMetadata().setAnnotations(Map.of(ClaimRecord.ENGINE, "Etcd"));
    assertThat(ClaimCheck.objection(shard, claim).orElseThrow()).contains("by the engine Etcd");
    claim.getMetadata().setAnnotations(Map.of(ClaimRecord.ENGINE, "Memory"));
    assertThat(ClaimCheck.objection(shard, claim)).isEmpty();
  }

  @Test
  void aClaimThatIsNotThereIsMade() {
    assertThat(ClaimCheck.objection(shard("demo"), null)).isEmpty();
  }

  @Test
  void aRecordIsWrittenOnceAndLetsTheNextStoreOfTheNameIn() {
    StoreShard shard = shard("demo");
    PersistentVolumeClaim claim = claim(OURS);
    assertThat(ClaimRecord.isOn(shard, claim)).isFalse();
    PersistentVolumeClaim patch = ClaimRecord.patch(shard, claim);
    assertThat(patch.getMetadata().getUid()).as("never makes one").isEqualTo("c");
    assertThat(patch.getSpec()).isNull();
    assertThat(patch.getMetadata().getAnnotations())
        .containsEntry("exaplane.io/store-uid", "s")
        .containsEntry("exaplane.io/control-plane-uid", "p")
        .containsEntry("exaplane.io/store-engine", "Memory")
        .containsEntry("exaplane.io/routes", "[]");
    assertThat(patch.getMetadata().getLabels())
        .containsEntry("exaplane.io/control-plane", "demo")
        .containsEntry("exaplane.io/store", "default");
    assertThat(ClaimRecord.isOn(shard, patch)).isTrue();
    StoreShard next = shard("demo");
    next.getMetadata().setUid("next");
    assertThat(ClaimCheck.objection(next, patch)).isEmpty();
    assertThat(ClaimRecord.isOn(next, patch)).isFalse();
  }

  private static StoreShard shard(String controlPlane) {
    String owner =
        controlPlane == null
            ? ""
            : """
                  labels: {exaplane.io/control-plane: %s, exaplane.io/store: default}
                  annotations: {exaplane.io/routes: "[]"}
                  ownerReferences: [{apiVersion: exaplane.io/v1alpha1, kind: ControlPlane, name: %s, uid: p}]
                """
                .formatted(controlPlane, controlPlane);
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata:
          name: demo-default
          namespace: ns
          uid: s
        %sspec: {engine: Memory, storage: {type: PersistentVolume}}
        """
            .formatted(owner),
        StoreShard.class);
  }

  private static PersistentVolumeClaim claim(String labels) {
    Map<String, String> all = new TreeMap<>();
    for (String label : labels.trim().split(" +")) {
      if (!label.isEmpty()) {
        all.put(label.split("=")[0], label.split("=")[1]);
      }
    }
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName("data-demo-default-0")
        .withNamespace("ns")
        .withUid("c")
        .withLabels(all)
        .endMetadata()
        .build();
  }
}
