// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainCommandTest {
  private static final String SCHEMAS =
      """
      components:
        schemas:
          io.exaplane.v1alpha1.ControlPlane:
            x-kubernetes-group-version-kind: [{group: exaplane.io, kind: ControlPlane, version: v1alpha1}]
            description: A hosted control plane.
            type: object
            properties:
              metadata: {allOf: [{$ref: "#/components/schemas/Meta"}], default: {}}
              spec:
                type: object
                required: [version]
                properties:
                  version: {type: string, maxLength: 20, description: "The version. More words."}
                  maxNodes: {type: integer, minimum: 1, maximum: 1000000, default: 100, description: How many nodes.}
                  stores:
                    type: array
                    maxItems: 8
                    description: The stores.
                    x-kubernetes-validations: [{rule: "true", message: "stores: at most one default"}]
                    items:
                      type: object
                      properties:
                        name: {type: string, enum: [a, b], description: The name.}
          Meta:
            description: Standard metadata.
            properties: {name: {type: string}}
      """;
  private static final String TUNED =
      """
      kind: ConfigMap
      metadata: {name: demo-tuning}
      data:
        tuning.yaml: |
          items:
          - {component: kube-apiserver, kind: flag, name: max-requests-inflight, value: "800", default: "400", reason: more nodes than 50,
             inputs: {nodes: 100}, source: "https://example.org", confidence: M, risk: more memory}
      """;

  @TempDir private Path folder;
  private PlaneApi api;

  @BeforeEach
  void start() throws IOException {
    api =
        new PlaneApi(folder)
            .describing(SCHEMAS)
            .with(
                "{kind: ControlPlane, metadata: {name: demo}, spec: {version: x, stores: [{name: a}, {name: b}]}}")
            .with(TUNED);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void aReasonNeedsNoCluster() throws IOException {
    assertThat(api.run("explain", "storeUnavailable")).as("%s", api.err).isZero();
    assertThat(api.out.toString())
        .startsWith("Reason StoreUnavailable: of 'Available', 'StoresReady'")
        .contains(
            "From docs/not-available.md#a-store-does-not-serve:", "## A store does not serve");
    assertThat(api.run("explain", "StoresReady", "-o=json")).isZero();
    assertThat(api.document().path("lines").toString()).contains("Every store serves.");
    assertThat(api.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"StoreUnavailabel", "storeunavaliable", "StoresUnavailable"})
  void aMisspeltReasonNeedsNoCluster(String word) {
    assertThat(api.run("explain", word)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains(word, "write StoreUnavailable");
    assertThat(api.requests()).isEmpty();
  }

  /** Gates and variables begin with capital letters, too. */
  @Test
  void noTunedValueIsTakenForAMisspeltReason() throws IOException {
    api.with(TUNED.replace("max-requests-inflight", "GOMEMLIMIT"));
    assertThat(api.run("explain", "GOMEMLIMIT")).as("%s", api.err).isZero();
  }

  @Test
  void aFieldHasItsTypeBoundsRulesAndValue() {
    assertThat(api.run("explain", "cpl.spec.maxNodes")).as("%s", api.err).isZero();
    assertThat(api.out.toString().lines())
        .containsExactly(
            "ControlPlane.spec.maxNodes: integer, 1 to 1000000", "Default: 100", "How many nodes.");
    assertThat(api.run("explain", "cpl.spec.maxNodes", "demo")).isZero();
    assertThat(api.out.toString()).contains("In ControlPlane demo: not set");
    assertThat(api.run("explain", "ControlPlane.spec.stores", "demo")).isZero();
    assertThat(api.out.toString())
        .contains("spec.stores: list of object, at most 8 items")
        .contains("Rule: stores: at most one default")
        .containsPattern("name +string, one of a b +The name.");
    assertThat(api.run("explain", "cpl.spec.stores[].name", "demo")).isZero();
    assertThat(api.out.toString()).contains("In ControlPlane demo: [\"a\",\"b\"]");
    assertThat(api.run("explain", "cpl.spec")).isZero();
    assertThat(api.out.toString())
        .containsPattern("version +string, at most 20 characters, required +The version\\.\\R");
    assertThat(api.run("explain", "cpl")).isZero();
    assertThat(api.out.toString()).contains("A hosted control plane.", "Standard metadata.");
  }

  @Test
  void aFieldThatDoesNotExistNamesTheOnesThatDo() {
    assertThat(api.run("explain", "cpl.spec.nodes")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString())
        .contains("ControlPlane.spec.nodes", "choose from version, maxNodes, stores");
    assertThat(api.run("explain", "cpl.spec.version.x")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains("explain ControlPlane.spec.version instead");
    assertThat(api.run("explain", "spool.spec")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("does not publish the fields of SchedulerPool");
  }

  @Test
  void aTunedValueHasItsGrounds() throws IOException {
    assertThat(api.run("explain", "max-requests-inflight")).as("%s", api.err).isZero();
    assertThat(api.out.toString().lines())
        .containsExactly(
            "max-requests-inflight of ControlPlane demo, kube-apiserver flag: 800 (default: 400)",
            "  reason: more nodes than 50",
            "  inputs: {\"nodes\":100}",
            "  source: https://example.org",
            "  confidence: M",
            "  risk: more memory");
    assertThat(api.run("explain", "max-requests-inflight", "demo", "-o=json")).isZero();
    assertThat(api.document().at("/items/0/value").asText()).isEqualTo("800");
  }

  @Test
  void aWordWithoutAMeaningHasWordsLikeIt() {
    assertThat(api.run("explain", "Space", "demo")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains("choose from", "SpaceExceeded");
    assertThat(api.run("explain", "xyz", "demo")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString())
        .contains("write a reason of 'status', a field as cpl.spec.storage");
    api.forbid("get configmaps");
    assertThat(api.run("explain", "xyz", "demo")).isEqualTo(Exactl.FAILED);
  }
}
