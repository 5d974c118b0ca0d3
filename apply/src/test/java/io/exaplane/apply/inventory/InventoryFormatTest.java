// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

class InventoryFormatTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final ApplySet set = new ApplySet("addons", "kube-system");

  /** Written as {@code kubectl apply --applyset} would for this parent. */
  @Test
  void theIdIsThatOfTheProposal() {
    assertThat(set.id()).matches("applyset-[A-Za-z0-9_-]{43}-v1").hasSizeLessThanOrEqualTo(63);
  }

  private static List<InventoryRecord> records(int count) {
    SplittableRandom random = new SplittableRandom(1);
    List<InventoryRecord> all = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      all.add(
          new InventoryRecord(
              new ObjectKey("apps", "Deployment", "shop-" + at % 50, "a-name-of-some-size-" + at),
              random.nextLong(),
              random.nextLong(),
              random.nextLong(),
              at,
              1_000_000 + at));
    }
    return all;
  }

  private List<JsonNode> written(List<InventoryRecord> records, int shards) throws IOException {
    Map<Integer, List<InventoryRecord>> changed = new HashMap<>();
    for (int at = 0; at < shards; at++) {
      changed.put(at, new ArrayList<>());
    }
    records.forEach(one -> changed.get(InventoryFormat.shard(one.key(), shards)).add(one));
    JsonNode[] all = new JsonNode[shards];
    for (Manifest one :
        InventoryFormat.write(
            set,
            new InventorySave(
                Set.of("Deployment.apps", "ConfigMap"), Set.of("shop-1"), shards, changed))) {
      for (int at = 0; at < shards; at++) {
        if (InventoryFormat.key(set, at).equals(one.key())) {
          all[at] = JSON.readTree(one.body());
        }
      }
    }
    return new ArrayList<>(List.of(all));
  }

  @Test
  void fiftyThousandObjectsComeBackFromShardsThatFit() throws IOException {
    List<InventoryRecord> records = records(50_000);
    int shards = InventoryFormat.shards(records.size(), 25L * records.size(), 1);
    List<JsonNode> written = written(records, shards);
    for (JsonNode one : written) {
      assertThat(one.path("binaryData").path("records").binaryValue().length)
          .isLessThanOrEqualTo(Shard.LIMIT_BYTES);
    }
    assertThat(InventoryFormat.shards(written.getFirst())).isEqualTo(shards);
    Inventory read = InventoryFormat.read(set, written);
    assertThat(read.damage()).isEmpty();
    assertThat(read.groupKinds()).containsExactlyInAnyOrder("Deployment.apps", "ConfigMap");
    // As sets: AssertJ would compare each with each.
    assertThat(read.records()).hasSameSizeAs(records);
    assertThat(new HashSet<>(read.records())).isEqualTo(new HashSet<>(records));
  }

  @Test
  void aDamagedShardCostsItsOwnRecordsOnly() throws IOException {
    List<InventoryRecord> records = records(1_000);
    List<JsonNode> written = written(records, 4);
    written.set(2, null);
    ((ObjectNode) written.get(3).path("binaryData")).put("records", new byte[] {1, 2, 3});
    Inventory read = InventoryFormat.read(set, written);
    assertThat(read.damage()).contains("kube-system/addons-3 can't be read");
    assertThat(read.records())
        .containsExactlyInAnyOrderElementsOf(
            records.stream().filter(one -> InventoryFormat.shard(one.key(), 4) < 2).toList());
    assertThat(read.groupKinds()).hasSize(2);
  }

  /** As of a source that is called {@code addons-1}. */
  @Test
  void aConfigMapOfSomebodyElseIsNoShard() throws IOException {
    List<JsonNode> written = written(records(1_000), 2);
    ((ObjectNode) written.get(1).path("metadata").path("labels")).removeAll();
    assertThat(InventoryFormat.isShard(set, written.get(1))).isFalse();
    Inventory read = InventoryFormat.read(set, written);
    assertThat(read.damage()).contains("addons-1 can't be read: it is no part of the inventory");
    assertThat(read.records()).hasSizeLessThan(1_000);
  }

  @Test
  void aShardThatGrowsWithoutEndIsNone() throws IOException {
    List<JsonNode> written = written(records(10), 1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      out.writeByte(1);
      out.writeInt(1);
      out.writeUTF("");
      out.writeInt(50_000);
      for (int at = 0; at < 50_000; at++) {
        out.write(new byte[12]);
        out.writeUTF("n".repeat(2_000));
        out.write(new byte[40]);
      }
    }
    ObjectNode data = (ObjectNode) written.getFirst().path("binaryData");
    data.put("records", bytes.toByteArray());
    assertThat(bytes.size()).isLessThan(1 << 20);
    Inventory read = InventoryFormat.read(set, written);
    assertThat(read.damage()).contains("can't be read", "more than 16777216 bytes");
    assertThat(read.records()).isEmpty();
    data.put("records", 7);
    assertThat(InventoryFormat.read(set, written).damage()).contains("no text in base64");
  }

  @Test
  void namespacesWithoutEndDoNotStopTheInventory() throws IOException {
    Set<String> namespaces = new HashSet<>();
    for (int at = 0; at < 20_000; at++) {
      namespaces.add("team-with-some-name-" + at);
    }
    Map<Integer, List<InventoryRecord>> none = Map.of(0, List.of());
    for (Set<String> some : List.of(namespaces, Set.of("shop"))) {
      byte[] body =
          InventoryFormat.write(set, new InventorySave(Set.of("ConfigMap"), some, 1, none))
              .getLast()
              .body();
      JsonNode annotations = JSON.readTree(body).path("metadata").path("annotations");
      assertThat(annotations.toString()).hasSizeLessThan(256 << 10).contains("\"ConfigMap\"");
      assertThat(annotations.has("applyset.kubernetes.io/additional-namespaces"))
          .isEqualTo(some.size() == 1);
    }
  }

  @Test
  void noParentIsAnEmptyInventory() {
    List<JsonNode> none = new ArrayList<>();
    none.add(null);
    assertThat(InventoryFormat.read(set, none)).isEqualTo(Inventory.EMPTY);
  }

  @Test
  void parentsOfOtherToolsAndPlainConfigMapsAreRefused() throws IOException {
    ObjectNode parent = (ObjectNode) written(records(1), 1).getFirst();
    assertThat(InventoryFormat.refusal(set, parent)).isEmpty();
    assertThat(InventoryFormat.refusal(set, null)).isEmpty();
    ObjectNode metadata = (ObjectNode) parent.path("metadata");
    ((ObjectNode) metadata.path("annotations"))
        .put("applyset.kubernetes.io/tooling", "kubectl/v1.36");
    assertThat(InventoryFormat.refusal(set, parent))
        .contains("kube-system/addons is the set of another tool", "'kubectl/v1.36'");
    metadata.remove(List.of("annotations", "labels"));
    assertThat(InventoryFormat.refusal(set, parent))
        .contains("is no inventory", set.id(), "choose another name");
  }

  @Test
  void aNumberOfShardsThatCannotBeIsTold() throws IOException {
    List<JsonNode> written = written(records(1_000), 4);
    ((ObjectNode) written.getFirst().path("metadata").path("annotations"))
        .put("apply.exaplane.io/shards", "three");
    Inventory read = InventoryFormat.read(set, List.of(written.getFirst()));
    assertThat(read.damage())
        .contains("apply.exaplane.io/shards of ConfigMap kube-system/addons: 'three'", "addons-1");
  }

  @Test
  void namesAreChecked() {
    assertThatThrownBy(() -> new ApplySet("Add Ons", "x")).hasMessageContaining("'Add Ons' must");
    assertThatThrownBy(() -> new ApplySet("a", "")).hasMessageContaining("must name a namespace");
  }
}
