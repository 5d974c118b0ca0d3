// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A claim goes with its StoreShard, or with nobody. */
class ClaimOwnerTest {
  private static final String OWN =
      "{apiVersion: exaplane.io/v1alpha1, kind: StoreShard, name: demo-default, uid: s}";
  private static final String FORMER =
      "{apiVersion: exaplane.io/v1alpha1, kind: StoreShard, name: demo-default, uid: former}";

  /** As a StatefulSet of an earlier operator wrote it, with whenDeleted: Delete. */
  private static final String SET =
      "{apiVersion: apps/v1, kind: StatefulSet, name: demo-default, uid: set}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // spec.deletion | owners | kinds of the owners that are written
        "Delete | '' | StoreShard",
        "Delete | SET | StatefulSet StoreShard",
        "Delete | OWN | none",
        "Retain | OWN | ''",
        "Retain | SET OWN | StatefulSet",
        "Retain | '' | none",
        "null | OWN | ''",
        "null | '' | none",
      })
  void theStoreOwnsItsClaimOnlyWithDelete(String deletion, String owners, String written)
      throws Exception {
    PersistentVolumeClaim claim = claim(owners, "");
    String patch = ClaimOwner.patch(shard(deletion), claim).orElse(null);
    if (written.equals("none")) {
      assertThat(patch).isNull();
      return;
    }
    assertThat(patch).as("something is written").isNotNull();
    JsonNode metadata = new ObjectMapper().readTree(patch).get("metadata");
    assertThat(metadata.get("uid").asText()).isEqualTo("c");
    assertThat(metadata.get("resourceVersion").asText()).as("of what was seen").isEqualTo("7");
    List<String> kinds = metadata.get("ownerReferences").findValuesAsText("kind");
    assertThat(String.join(" ", kinds)).isEqualTo(written);
    assertThat(metadata.get("ownerReferences").findValues("controller"))
        .as("a StatefulSet leaves claims of another controller alone")
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // owners | further metadata | whether the claim is about to go
        "''         |                                         | false",
        "OWN        |                                         | false",
        "SET        |                                         | false",
        "SET OWN    |                                         | false",
        "FORMER OWN |                                         | false",
        "FORMER     |                                         | true",
        "OWN        | deletionTimestamp: 2026-11-26T10:00:00Z | true",
      })
  void aStoreDoesNotStartOnAClaimThatGoesWithAFormerOne(
      String owners, String metadata, boolean goes) {
    PersistentVolumeClaim claim = claim(owners, metadata == null ? "" : metadata);
    assertThat(ClaimOwner.leaving(shard("Delete"), claim).isPresent()).isEqualTo(goes);
    if (goes) {
      assertThat(ClaimCheck.objection(shard("Delete"), claim).orElseThrow())
          .startsWith("PersistentVolumeClaim data-demo-default-0 ")
          .contains("The store starts with a new claim", "'kubectl -n ns describe pvc")
          .doesNotContain("delete pvc");
    }
  }

  @Test
  void aClaimThatStaysNamesItsOtherTroubleAsBefore() {
    assertThat(ClaimCheck.objection(shard("Retain"), claim("SET", "")).orElseThrow())
        .contains("has no record of a store with this name");
  }

  private static StoreShard shard(String deletion) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: demo-default, namespace: ns, uid: s}
        spec: {engine: Memory, deletion: %s, storage: {type: PersistentVolume}}
        """
            .formatted(deletion),
        StoreShard.class);
  }

  private static PersistentVolumeClaim claim(String owners, String metadata) {
    List<String> references =
        owners.isEmpty()
            ? List.of()
            : List.of(owners.split(" ")).stream()
                .map(each -> each.equals("OWN") ? OWN : each.equals("SET") ? SET : FORMER)
                .toList();
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: data-demo-default-0, namespace: ns, uid: c, resourceVersion: "7", ownerReferences: [%s]%s}
        """
            .formatted(String.join(", ", references), metadata.isEmpty() ? "" : ", " + metadata),
        PersistentVolumeClaim.class);
  }
}
