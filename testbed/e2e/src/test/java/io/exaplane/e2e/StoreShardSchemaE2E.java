// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static io.exaplane.e2e.DryRun.accepts;
import static io.exaplane.e2e.DryRun.refuses;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rules of a StoreShard's schema, judged by a real API server. Nothing is kept. */
@Order(11)
@Tag("api")
class StoreShardSchemaE2E {
  @BeforeAll
  static void aControlPlaneRuns() {
    Demo.up();
  }

  @Test
  void storesOfTheirOwnHaveRulesToo() {
    accepts(createShard("a".repeat(52), "{}"));
    refuses(createShard("a".repeat(53), "{}"), "at most 52 characters");
    refuses(createShard("1s", "{}"), "begin with a letter");
    refuses(createShard("s.t", "{}"), "without dots");
    refuses(
        createShard("s", "{type: EmptyDirLosesDataWithPod, storageClassName: local}"),
        "storageClassName: is for type PersistentVolume only");
    accepts(createShard("s", "{storageClassName: local}"));
    refuses(createShard("s", "{type: EmptyDir}"), "set EmptyDirLosesDataWithPod");
    accepts(createShard("s", "{type: EmptyDir}, criticality: BestEffort"));
    accepts(createShard("s", "{type: EmptyDirLosesDataWithPod}"));
    refuses(createShard("s", "{}, engine: Other"), "Unsupported value");
    refuses(
        createShard("s", "{}, engine: Etcd, memory: {quota: 1Gi}"),
        "memory: is for the engine Memory only");
    refuses(
        createShard("s", "{}, memory: {durability: Memory}"),
        "Memory is for BestEffort stores only");
    accepts(createShard("s", "{}, criticality: BestEffort, memory: {durability: Memory}"));
    refuses(
        DryRun.patch("StoreShard", "demo-default", "{\"spec\":{\"storage\":{\"size\":\"2Gi\"}}}"),
        "storage.size 2Gi: is smaller than ");
  }

  @Test
  void storesOfTheirOwnHaveTheRulesOfLife() {
    Stream.of(SchemaLifeRules.OF_ALL, SchemaLifeRules.OF_STORES_AND_POOLS)
        .flatMap(List::stream)
        .forEach(
            rule -> {
              accepts(createShard("s", "{}, " + rule.good()));
              refuses(createShard("s", "{}, " + rule.bad()), rule.message());
            });
  }

  @Test
  void theClientsOfAStoreAreNamedInOneWay() {
    accepts(withClients("Memory", "commonNames: [backup, web 1]"));
    accepts(withClients("Memory", "hostnames: [app.example, '2001:db8::1']"));
    accepts(withClients("Etcd", "hostnames: [app.example]"));
    refuses(withClients("Etcd", "commonNames: [backup]"), "use hostnames");
    refuses(withClients("Memory", ""), "needs either commonNames or hostnames");
    refuses(
        withClients("Memory", "commonNames: [a], hostnames: [b]"),
        "needs either commonNames or hostnames");
    refuses(withClients("Memory", "commonNames: ['a,b']"), "should match");
    refuses(withClients("Memory", "commonNames: []"), "at least 1 items");
  }

  private static DryRun withClients(String engine, String clients) {
    return create(
        "s",
        "tls: {secretRef: {name: t}, allowedClients: {%s}}, engine: %s".formatted(clients, engine));
  }

  private static DryRun createShard(String name, String storage) {
    return create(name, "tls: {secretRef: {name: t}}, storage: " + storage);
  }

  private static DryRun create(String name, String spec) {
    return DryRun.create(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: %s}
        spec: {%s}
        """
            .formatted(name, spec));
  }
}
