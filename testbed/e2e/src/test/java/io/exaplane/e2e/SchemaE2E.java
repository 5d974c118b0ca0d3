// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static io.exaplane.e2e.DryRun.accepts;
import static io.exaplane.e2e.DryRun.refuses;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The rules of the schema, and the samples, judged by a real API server. Nothing is kept. */
@Order(10)
@Tag("api")
class SchemaE2E {
  /** Its stores are written down; nothing is made of it. */
  private static final String FIXED = "fixed";

  private static final String NETWORK = "network: is immutable except for nodeCIDRs";

  @BeforeAll
  static void aControlPlaneRuns() {
    Demo.up();
    Bed.apply(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: ControlPlane
        metadata: {name: fixed}
        spec:
          version: "%s"
          maxNodes: 10
          pausedUntil: "true"
          network: {clusterDomain: a.local, serviceCIDRs: ['fd00:7::/112'], nodeCIDRs: ['2001:db8:2::/48']}
          pki: {adminKubeconfigRevision: 2, rotation: {ca: Complete, serviceAccountKey: Complete}}
          storage:
            stores:
            - {name: default, storage: {size: 1Gi}}
            - {name: events, criticality: BestEffort}
            routes: [{store: events, resources: [{group: '', resource: events}]}]
        """
            .formatted(Bed.VERSION));
  }

  @AfterAll
  static void fixedGoes() {
    Bed.delete(Demo.NAMESPACE, List.of(FIXED), "--timeout=300s");
  }

  @TestFactory
  List<DynamicTest> rulesOnCreation() {
    List<DynamicTest> tests = new ArrayList<>();
    List<SchemaRules.Rule> rules =
        Stream.of(SchemaRules.ON_CREATE, SchemaLifeRules.OF_ALL, SchemaLifeRules.OF_GUARDS)
            .flatMap(List::stream)
            .toList();
    for (SchemaRules.Rule rule : rules) {
      tests.add(
          DynamicTest.dynamicTest(
              rule.name() + ": accepted", () -> accepts(create("rule", rule.good()))));
      tests.add(
          DynamicTest.dynamicTest(
              rule.name() + ": refused",
              () -> refuses(create(rule.badName(), rule.bad()), rule.message())));
    }
    return tests;
  }

  private static DryRun create(String name, String change) {
    String key = change.substring(0, change.indexOf(':'));
    String spec =
        Stream.of("version: " + Bed.VERSION, "maxNodes: 1000")
                .filter(line -> !line.startsWith(key + ":"))
                .map(line -> "  " + line + "\n")
                .collect(Collectors.joining())
            + "  "
            + change;
    return DryRun.create(
        "apiVersion: exaplane.io/v1alpha1\nkind: ControlPlane\nmetadata: {name: "
            + name
            + "}\nspec:\n"
            + spec
            + "\n");
  }

  private static DryRun patch(String json) {
    return DryRun.patch("ControlPlane", Demo.NAME, json);
  }

  private static String version(int minorsLater, int patch) {
    return "{\"spec\":{\"version\":\"" + Bed.version(minorsLater, patch) + "\"}}";
  }

  private static String rotation(String key, String wish) {
    return "{\"spec\":{\"pki\":{\"rotation\":{\"%s\":\"%s\"}}}}".formatted(key, wish);
  }

  @TestFactory
  List<DynamicTest> rulesOnChange() {
    record Change(String name, String patch, String message) {}
    List<Change> bad =
        List.of(
            new Change("a downgrade by patch", version(0, 0), "cannot be downgraded"),
            new Change("a downgrade by minor", version(-1, 9), "cannot be downgraded"),
            new Change(
                "a CA without Prepare",
                rotation("ca", "Complete"),
                "spec.pki.rotation.ca: Complete needs the phase Prepared"),
            new Change(
                "a key of tokens without Prepare",
                rotation("serviceAccountKey", "Complete"),
                "spec.pki.rotation.serviceAccountKey: Complete needs the phase Prepared"),
            new Change("a skip", version(2, 0), "must not skip a minor version"),
            new Change(
                "first routes that are others",
                "{\"spec\":{\"storage\":{\"routes\":[]}}}",
                "spec.storage.routes: differs from the routes of the running control plane"),
            new Change("a domain", network("{clusterDomain: x.local}"), NETWORK),
            new Change(
                "pods beside nodes",
                network("{nodeCIDRs: ['2001:db8::/48'], podCIDRs: ['fd00:9::/48']}"),
                NETWORK));
    String fixed = "existing stores are immutable except for";
    List<Change> badStores =
        List.of(
            new Change(
                "another kind of volume",
                stores(
                    "{name: default, storage: {size: 1Gi, type: PersistentVolume}}, {name: events, criticality: BestEffort}"),
                fixed),
            new Change(
                "a store without words about its size",
                stores("{name: default}, {name: events, criticality: BestEffort}"),
                fixed),
            new Change(
                "another engine of a store",
                stores(
                    "{name: default, engine: Etcd, storage: {size: 1Gi}}, {name: events, criticality: BestEffort}"),
                fixed),
            new Change(
                "another criticality",
                stores("{name: default, storage: {size: 1Gi}}, {name: events}"),
                fixed),
            new Change("no network any more", "{\"spec\":{\"network\":null}}", NETWORK),
            new Change("another domain", network("{clusterDomain: b.local}"), NETWORK),
            new Change("other Services", network("{serviceCIDRs: ['fd00:8::/112']}"), NETWORK),
            new Change("families", network("{ipFamilies: [IPv6]}"), NETWORK),
            new Change("a store less", stores("{name: default, storage: {size: 1Gi}}"), fixed),
            new Change(
                "no words about stores", "{\"spec\":{\"storage\":{\"stores\":null}}}", fixed),
            new Change(
                "other routes",
                "{\"spec\":{\"storage\":{\"routes\":[]}}}",
                "create a ControlPlaneTask with reshard"),
            new Change(
                "no words about routes",
                "{\"spec\":{\"storage\":{\"routes\":null,\"movedBy\":\"m\"}}}",
                "create a ControlPlaneTask with reshard"),
            new Change(
                "no words about storage",
                "{\"spec\":{\"storage\":null}}",
                "existing stores and routes can't be removed"),
            new Change(
                "an earlier number of administrators",
                "{\"spec\":{\"pki\":{\"adminKubeconfigRevision\":1}}}",
                "pki.adminKubeconfigRevision: must not decrease"),
            new Change("a CA goes back", rotation("ca", "Prepare"), "must not go back to Prepare"),
            new Change(
                "a key of tokens goes back",
                rotation("serviceAccountKey", "Prepare"),
                "must not go back to Prepare"),
            new Change(
                "no number of administrators any more",
                "{\"spec\":{\"pki\":null}}",
                "pki.adminKubeconfigRevision: must not decrease"));
    List<String> goodStores =
        List.of(
            stores(
                "{name: default, storage: {size: 2Gi}}, {name: events, criticality: BestEffort}"),
            stores(
                "{name: default, storage: {size: 1Gi}, resources: {limits: {memory: 2Gi}}}, {name: events, criticality: BestEffort}"),
            stores(
                "{name: events, criticality: BestEffort}, {name: default, storage: {size: 1Gi}, memory: {quota: 100Mi}}"),
            network("{nodeCIDRs: ['2001:db8:3::/48', 192.0.2.0/24]}"),
            "{\"spec\":{\"network\":{\"nodeCIDRs\":null}}}",
            "{\"spec\":{\"pki\":{\"adminKubeconfigRevision\":3}}}",
            "{\"spec\":{\"pki\":{\"rotation\":null}}}",
            stores(
                "{name: default, storage: {size: 1Gi}}, {name: events, criticality: BestEffort}, {name: more}"),
            "{\"spec\":{\"storage\":{\"routes\":[],\"movedBy\":\"m u /events\"}}}",
            "{\"spec\":{\"storage\":{\"onDataLoss\":\"StartEmpty\",\"deletion\":\"Delete\",\"restartedAt\":\"t1\"}}}");
    List<String> good =
        List.of(
            rotation("ca", "Prepare"),
            version(0, 9),
            version(1, 0),
            "{\"spec\":{\"maxNodes\":2000}}",
            network("{nodeCIDRs: ['2001:db8:2::/48']}"),
            "{\"spec\":{\"storage\":{\"onDataLoss\":\"StartEmpty\"}}}",
            "{\"spec\":{\"storage\":{\"deletion\":\"Delete\"}}}",
            "{\"spec\":{\"storage\":{\"routes\":[{\"store\":\"events\",\"resources\":[{\"group\":\"events.k8s.io\",\"resource\":\"events\"},{\"group\":\"\",\"resource\":\"events\"}]}]}}}",
            "{\"spec\":{\"storage\":{}}}");
    List<DynamicTest> tests = new ArrayList<>();
    badStores.forEach(
        change ->
            tests.add(
                DynamicTest.dynamicTest(
                    change.name() + " is refused",
                    () ->
                        refuses(
                            DryRun.patch("ControlPlane", FIXED, change.patch()),
                            change.message()))));
    goodStores.forEach(
        patch ->
            tests.add(
                DynamicTest.dynamicTest(
                    patch + " is accepted",
                    () -> accepts(DryRun.patch("ControlPlane", FIXED, patch)))));
    bad.forEach(
        change ->
            tests.add(
                DynamicTest.dynamicTest(
                    change.name() + " is refused",
                    () -> refuses(patch(change.patch()), change.message()))));
    good.forEach(
        patch ->
            tests.add(
                DynamicTest.dynamicTest(patch + " is accepted", () -> accepts(patch(patch)))));
    return tests;
  }

  @Test
  void poolsHaveRulesToo() {
    String hosted = "controlPlaneRef: {name: demo}";
    accepts(createPool("p", hosted));
    accepts(createPool("a".repeat(40), hosted));
    refuses(createPool("a".repeat(41), hosted), "at most 40 characters");
    refuses(createPool("p.q", hosted), "without dots");
    refuses(createPool("p", "schedulerName: s"), "needs either controlPlaneRef");
    String elsewhere = "kubeconfigSecretRef: {name: k}";
    refuses(
        createPool("p", hosted + ", " + elsewhere + ", maxNodes: 1"),
        "needs either controlPlaneRef");
    refuses(createPool("p", elsewhere), "maxNodes: is required");
    accepts(createPool("p", elsewhere + ", maxNodes: 1"));
    for (String bad :
        List.of(
            "schedulerName: a.b",
            "maxNodes: 0",
            "shards: {replicas: 513}",
            "roots: {replicas: 0}",
            "relays: {fanOut: 1}",
            "fallback: {mode: Never}",
            "roots: {resources: {limits: {memory: ''}}}",
            "roots: {resources: {requests: {memory: 2Gi4Mi}}}",
            "fallback: {afterSeconds: 5}",
            "profile: {pluginConfig: [{args: {}}]}")) {
      refuses(createPool("p", hosted + ", " + bad), bad.substring(0, bad.indexOf(':')));
    }
    Stream.of(SchemaLifeRules.OF_ALL, SchemaLifeRules.OF_STORES_AND_POOLS)
        .flatMap(List::stream)
        .forEach(
            rule -> {
              accepts(createPool("p", hosted + ", " + rule.good()));
              refuses(createPool("p", hosted + ", " + rule.bad()), rule.message());
            });
    accepts(
        createPool(
            "p",
            hosted
                + ", profile: {plugins: {score: {enabled: [{name: A, weight: 2}]}}, pluginConfig: [{name: A, args: {list: [1, x], text: y}}]}"));
    refuses(
        patch("{\"spec\":{\"scheduling\":{\"mode\":\"Pool\",\"poolRef\":null}}}"),
        "scheduling.poolRef: belongs to mode Pool");
  }

  @Test
  void aFieldThatIsUnknownIsRefused() {
    refuses(create("rule", "maxNods: 1"), "unknown field \"spec.maxNods\"");
  }

  /** A merge patch of the list of stores, from YAML's flow form. */
  private static String stores(String stores) {
    return Serialization.asJson(
        Map.of(
            "spec",
            Map.of("storage", Serialization.unmarshal("stores: [" + stores + "]\n", Map.class))));
  }

  /** A merge patch of the network, from YAML's flow form. */
  private static String network(String network) {
    return Serialization.asJson(
        Serialization.unmarshal("spec: {network: " + network + "}\n", Map.class));
  }

  private static DryRun createPool(String name, String spec) {
    return DryRun.create(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: SchedulerPool
        metadata: {name: %s}
        spec: {%s}
        """
            .formatted(name, spec));
  }

  /** A task does one thing, and its values fit together. */
  @TestFactory
  List<DynamicTest> rulesOfTasks() {
    record Case(String spec, String message) {}
    String exactlyOne = "exactly one of them must be set";
    return Stream.of(
            new Case("restart: {component: KubeAPIServer}", ""),
            new Case("restart: {component: Store, store: default}", ""),
            new Case("rotate: {credential: CA, complete: Manual}", ""),
            new Case("rotate: {credential: CA, complete: Automatic, completeAfter: 24h}", ""),
            new Case("rotate: {credential: ServiceAccountKey}", ""),
            new Case("rotate: {credential: ServiceAccountKey, completeAfter: 0s}", ""),
            new Case("rotate: {credential: EncryptionKey, complete: Manual}", ""),
            new Case("rotate: {credential: Leaves}, ttlSecondsAfterFinished: 0", ""),
            new Case(
                "reshard: {toStore: a, resources: [{group: '', resource: pods}, {group: apps, resource: pods}]}",
                ""),
            new Case(
                "reshard: {toStore: a, resources: [{group: '', resource: pods}, {group: '', resource: pods}]}",
                "a resource is listed twice"),
            new Case("reshard: {toStore: a, resources: []}", "should have at least 1 items"),
            new Case(
                "reshard: {toStore: a, resources: [{group: '', resource: pods}]}, rotate: {credential: Leaves}",
                exactlyOne),
            new Case("ttlSecondsAfterFinished: 1", exactlyOne),
            new Case(
                "restart: {component: KubeAPIServer}, rotate: {credential: Leaves}", exactlyOne),
            new Case("restart: {component: Etcd}", "Unsupported value: \"Etcd\""),
            new Case("restart: {component: Store}", "restart.store: must be set if"),
            new Case("restart: {component: KubeScheduler, store: a}", "restart.store: must be set"),
            new Case("rotate: {credential: CA}", "rotate.complete: must be set for the credential"),
            new Case("rotate: {credential: Leaves, complete: Manual}", "have no phases"),
            new Case("rotate: {credential: AdminKubeconfig, completeAfter: 1h}", "have no phases"),
            new Case(
                "rotate: {credential: CA, complete: Manual, completeAfter: 1h}",
                "is for Automatic only"),
            new Case("rotate: {credential: ServiceAccountKey, completeAfter: ''}", "0s to 720h"),
            new Case("rotate: {credential: ServiceAccountKey, completeAfter: 721h}", "0s to 720h"),
            new Case("rotate: {credential: ServiceAccountKey, completeAfter: 1d}", "completeAfter"),
            new Case("rotate: {credential: Leaves}, ttlSecondsAfterFinished: -1", "ttlSeconds"))
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.spec(),
                    () -> {
                      DryRun answer =
                          DryRun.create(
                              """
                              apiVersion: exaplane.io/v1alpha1
                              kind: ControlPlaneTask
                              metadata: {name: rule}
                              spec: {controlPlaneRef: {name: demo}, %s}
                              """
                                  .formatted(one.spec()));
                      if (one.message().isEmpty()) {
                        accepts(answer);
                      } else {
                        refuses(answer, one.message());
                      }
                    }))
        .toList();
  }

  /** As users apply them. */
  @TestFactory
  List<DynamicTest> samplesAreStrictlyValid() throws Exception {
    try (var files = Files.list(Bed.HOME.resolve("config/samples"))) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .sorted()
          .map(
              file ->
                  DynamicTest.dynamicTest(
                      file.getFileName().toString(),
                      () ->
                          Bed.kubectl(
                              "apply",
                              "--dry-run=server",
                              "--validate=strict",
                              "--filename=" + file)))
          .toList();
    }
  }
}
