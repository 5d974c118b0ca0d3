// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.usage.SpaceHolders;
import io.exaplane.operator.storeshard.usage.SpaceHolders.Share;
import io.exaplane.operator.storeshard.usage.SpaceUse;
import io.exaplane.operator.storeshard.usage.SpaceUse.Level;
import io.exaplane.operator.storeshard.usage.SpaceUse.Limit;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityAvailableConditionTest {
  private static final long MIB = 1 << 20;

  private static SpaceUse use(Level level, String prefix, long percent) {
    return new SpaceUse(level, Limit.QUOTA, prefix, percent * MIB, 100 * MIB);
  }

  private static Verdict verdict(SpaceUse use, SpaceHolders holders) {
    return CapacityAvailableCondition.of(use, holders, "raise it");
  }

  @ParameterizedTest
  @CsvSource({
    "FREE,, 10, true, AsExpected, There is space.",
    "SCARCE,, 81, true, SpaceScarce, through the API",
    "NEARLY_EXCEEDED,, 95, true, SpaceNearlyExceeded, refuses writes that add data at 100 %",
    "EXCEEDED,, 99, false, SpaceExceeded, the store accepts deletions",
    "EXCEEDED, /registry/events/, 99, false, PrefixSpaceExceeded, keys with /registry/events/",
    "EXCEEDED,, 40, false, SpaceExceeded, compacts them automatically",
  })
  void eachLevelSaysWhatToDo(
      Level level, String prefix, long percent, boolean met, Reason reason, String words) {
    Verdict verdict = verdict(use(level, prefix, percent), SpaceHolders.UNKNOWN);
    assertThat(verdict.met()).isEqualTo(met);
    assertThat(verdict.reason()).isEqualTo(reason);
    assertThat(verdict.message()).contains(words);
    if (level != Level.FREE) {
      assertThat(verdict.message()).contains(percent + " % of the quota", "raise it");
    }
  }

  @Test
  void threeKindsAndNamespacesAreNamed() {
    List<Share> shares =
        IntStream.rangeClosed(1, 5)
            .mapToObj(
                i -> new Share("kind" + i, "space" + i, "/registry/kind" + i + "/", i, i * MIB))
            .toList();
    assertThat(verdict(use(Level.SCARCE, null, 85), new SpaceHolders(shares, shares)).message())
        .contains(
            "Kinds that hold most: kind5 (5.0 MiB), kind4 (4.0 MiB), kind3 (3.0 MiB).",
            "Namespaces that hold most: space5 (5.0 MiB, most in kind5), space4 (4.0 MiB, most in kind4), space3 (3.0 MiB, most in kind3).");
    SpaceUse keys = new SpaceUse(Level.SCARCE, Limit.KEYS, null, 85 * MIB, 100 * MIB);
    assertThat(verdict(keys, new SpaceHolders(shares, List.of())).message())
        .contains("85 % of the memory to find keys", "kind5 (5 keys)")
        .doesNotContain("Namespaces");
  }

  @Test
  void memoryOfKubeApiServersIsNamedWithWhatTakesIt() {
    SpaceUse load = new SpaceUse(Level.EXCEEDED, Limit.LOAD, null, 100 * MIB, 100 * MIB);
    List<Share> shares = List.of(new Share("widgets.example.com", "a", "/w/", 9, MIB, 90 * MIB));
    Verdict verdict = verdict(load, new SpaceHolders(shares, shares));
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.SpaceExceeded);
    assertThat(verdict.message())
        .contains(
            "100 % of the memory in which one kube-apiserver loads the objects (loadQuota)",
            "widgets.example.com (90 MiB)",
            "a (90 MiB, most in widgets.example.com)",
            "Delete objects through the API")
        .doesNotContain("compacts");
    StoreShard owned =
        shard(
            "ownerReferences: [{apiVersion: exaplane.io/v1alpha1, kind: ControlPlane, name: demo, uid: u, controller: true}]");
    assertThat(CapacityAvailableCondition.growth(owned, load, false))
        .isEqualTo(
            "raise the memory limit in spec.apiServer.resources, then memory.loadQuota in spec.storage.stores[] of the ControlPlane");
    assertThat(CapacityAvailableCondition.growth(shard(""), load, false))
        .isEqualTo("raise the memory of the kube-apiservers, then memory.loadQuota in the spec");
  }

  @Test
  void theFieldThatGivesMoreIsNamed() {
    StoreShard own = shard("");
    StoreShard owned =
        shard(
            "ownerReferences: [{apiVersion: exaplane.io/v1alpha1, kind: ControlPlane, name: demo, uid: u, controller: true}]");
    SpaceUse whole = use(Level.SCARCE, null, 85);
    assertThat(CapacityAvailableCondition.growth(own, whole, false))
        .isEqualTo("raise the memory (resources) and the volume (storage.size) in the spec");
    own.setSpec(withQuota());
    assertThat(CapacityAvailableCondition.growth(own, whole, false))
        .endsWith("and memory.quota in the spec");
    assertThat(CapacityAvailableCondition.growth(owned, whole, false))
        .contains("storage.size", "spec.storage.stores[] of the ControlPlane")
        .doesNotContain("quota");
    owned.setSpec(withQuota());
    assertThat(CapacityAvailableCondition.growth(owned, whole, false))
        .contains("memory.quota in spec.storage.stores[]", "limit in spec.apiServer.resources");
    assertThat(CapacityAvailableCondition.growth(owned, use(Level.SCARCE, "/a/", 85), false))
        .contains("memory.prefixes");
    assertThat(CapacityAvailableCondition.growth(owned, whole, true))
        .contains("with larger stores");
  }

  private static StoreShardSpec withQuota() {
    return Serialization.unmarshal("{\"memory\": {\"quota\": \"100Mi\"}}", StoreShardSpec.class);
  }

  private static StoreShard shard(String metadata) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata:
          name: demo-default
          namespace: ns
          %s
        spec: {tls: {secretRef: {name: t}}}
        """
            .formatted(metadata),
        StoreShard.class);
  }
}
