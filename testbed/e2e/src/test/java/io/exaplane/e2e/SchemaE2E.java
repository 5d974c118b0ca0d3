// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The rules of the schema, and the samples, judged by a real API server. Nothing is kept. */
@Order(10)
class SchemaE2E {
  @TempDir static Path folder;

  @BeforeAll
  static void aControlPlaneRuns() {
    Demo.up();
  }

  @TestFactory
  List<DynamicTest> rulesOnCreation() {
    List<DynamicTest> tests = new ArrayList<>();
    for (SchemaRules.Rule rule : SchemaRules.ON_CREATE) {
      tests.add(
          DynamicTest.dynamicTest(
              rule.name() + ": accepted",
              () ->
                  assertThat(create("rule", rule.good())).extracting(Bed.Run::exit).isEqualTo(0)));
      tests.add(
          DynamicTest.dynamicTest(
              rule.name() + ": refused",
              () -> {
                Bed.Run run = create(rule.badName(), rule.bad());
                assertThat(run.exit()).as(run.output()).isNotEqualTo(0);
                assertThat(run.output()).contains(rule.message());
              }));
    }
    return tests;
  }

  private static Bed.Run create(String name, String change) throws Exception {
    String spec = "version: 1.36.3\n  maxNodes: 1000";
    String key = change.substring(0, change.indexOf(':'));
    spec =
        spec.lines()
                .map(String::strip)
                .filter(line -> !line.startsWith(key + ":"))
                .reduce("", (all, line) -> all + "  " + line + "\n")
            + "  "
            + change;
    String manifest =
        "apiVersion: exaplane.io/v1alpha1\nkind: ControlPlane\nmetadata: {name: "
            + name
            + "}\nspec:\n"
            + spec
            + "\n";
    return dryRun(manifest);
  }

  private static Bed.Run dryRun(String manifest) throws Exception {
    Path file = Files.writeString(folder.resolve("controlplane.yaml"), manifest);
    return Bed.run(
        List.of(
            Bed.HOME.resolve("exa").toString(),
            "kubectl",
            "create",
            "--dry-run=server",
            "--validate=strict",
            "--filename=" + file));
  }

  @TestFactory
  List<DynamicTest> rulesOnChange() {
    record Change(String name, String patch, String message) {}
    List<Change> bad =
        List.of(
            new Change("a downgrade", "{\"spec\":{\"version\":\"1.36.0\"}}", "can't be downgraded"),
            new Change("a skip", "{\"spec\":{\"version\":\"1.38.0\"}}", "can't be skipped"),
            new Change(
                "another network",
                "{\"spec\":{\"network\":{\"clusterDomain\":\"x.local\"}}}",
                "network: is immutable"),
            new Change(
                "another size of a store",
                "{\"spec\":{\"storage\":{\"stores\":[{\"name\":\"default\",\"storage\":{\"size\":\"2Gi\"}}]}}}",
                "storage: is immutable but for"),
            new Change(
                "another engine of a store",
                "{\"spec\":{\"storage\":{\"stores\":[{\"name\":\"default\",\"engine\":\"Etcd\"},{\"name\":\"events\"}]}}}",
                "storage: is immutable but for"),
            new Change(
                "other stores",
                "{\"spec\":{\"storage\":{\"stores\":[{\"name\":\"default\"}]}}}",
                "storage: is immutable but for"));
    List<String> good =
        List.of(
            "{\"spec\":{\"version\":\"1.36.9\"}}",
            "{\"spec\":{\"version\":\"1.37.0\"}}",
            "{\"spec\":{\"maxNodes\":2000}}");
    List<DynamicTest> tests = new ArrayList<>();
    bad.forEach(
        change ->
            tests.add(
                DynamicTest.dynamicTest(
                    change.name() + " is refused",
                    () -> {
                      Bed.Run run = Demo.patch(change.patch(), "--dry-run=server");
                      assertThat(run.exit()).as(run.output()).isNotEqualTo(0);
                      assertThat(run.output()).contains(change.message());
                    })));
    good.forEach(
        patch ->
            tests.add(
                DynamicTest.dynamicTest(
                    patch + " is accepted",
                    () -> assertThat(Demo.patch(patch, "--dry-run=server").exit()).isEqualTo(0))));
    return tests;
  }

  @Test
  void storesOfTheirOwnHaveRulesToo() throws Exception {
    assertThat(createShard("a".repeat(52), "{}").exit()).isZero();
    assertThat(createShard("a".repeat(53), "{}").output()).contains("at most 52 characters");
    assertThat(createShard("s", "{storageClassName: local}").output())
        .contains("storageClassName: is for type PersistentVolume only");
    assertThat(createShard("s", "{}, engine: Other").output()).contains("Unsupported value");
    assertThat(createShard("s", "{}, engine: Etcd, memory: {quota: 1Gi}").output())
        .contains("memory: is for the engine Memory only");
    assertThat(createShard("s", "{}, memory: {durability: Memory}").output())
        .contains("Memory is for BestEffort stores only");
    assertThat(createShard("s", "{}, criticality: BestEffort, memory: {durability: Memory}").exit())
        .isZero();
    String patch = "{\"spec\":{\"storage\":{\"type\":\"PersistentVolume\"}}}";
    assertThat(
            Bed.run(
                    List.of(
                        Bed.HOME.resolve("exa").toString(),
                        "kubectl",
                        "patch",
                        "storeshard",
                        "demo-default",
                        "--type=merge",
                        "--dry-run=server",
                        "--patch=" + patch))
                .output())
        .contains("storage: is immutable");
  }

  @Test
  void poolsHaveRulesToo() throws Exception {
    String hosted = "controlPlaneRef: {name: demo}";
    assertThat(createPool("p", hosted).exit()).isZero();
    assertThat(createPool("a".repeat(40), hosted).exit()).isZero();
    assertThat(createPool("a".repeat(41), hosted).output()).contains("at most 40 characters");
    assertThat(createPool("p.q", hosted).output()).contains("without dots");
    assertThat(createPool("p", "schedulerName: s").output())
        .contains("needs one of controlPlaneRef");
    String elsewhere = "kubeconfigSecretRef: {name: k}";
    assertThat(createPool("p", hosted + ", " + elsewhere + ", maxNodes: 1").output())
        .contains("needs one of controlPlaneRef");
    assertThat(createPool("p", elsewhere).output()).contains("maxNodes: is needed");
    assertThat(createPool("p", elsewhere + ", maxNodes: 1").exit()).isZero();
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
      assertThat(createPool("p", hosted + ", " + bad).exit()).as(bad).isNotZero();
    }
    assertThat(
            createPool(
                    "p",
                    hosted
                        + ", profile: {plugins: {score: {enabled: [{name: A, weight: 2}]}}, pluginConfig: [{name: A, args: {list: [1, x], text: y}}]}")
                .exit())
        .isZero();
    assertThat(
            Demo.patch(
                    "{\"spec\":{\"scheduling\":{\"mode\":\"Pool\",\"poolRef\":null}}}",
                    "--dry-run=server")
                .output())
        .contains("scheduling.poolRef: belongs to mode Pool");
  }

  private static Bed.Run createPool(String name, String spec) throws Exception {
    return dryRun(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: SchedulerPool
        metadata: {name: %s}
        spec: {%s}
        """
            .formatted(name, spec));
  }

  private static Bed.Run createShard(String name, String storage) throws Exception {
    return dryRun(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: %s}
        spec: {tls: {secretRef: {name: t}}, storage: %s}
        """
            .formatted(name, storage));
  }

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
                      () -> {
                        Bed.Run run =
                            Bed.run(
                                List.of(
                                    Bed.HOME.resolve("exa").toString(),
                                    "kubectl",
                                    "apply",
                                    "--dry-run=server",
                                    "--validate=strict",
                                    "--filename=" + file));
                        assertThat(run.exit()).as(run.output()).isEqualTo(0);
                      }))
          .toList();
    }
  }
}
