// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each field of a schema has a descriptor, by which OLM's consoles show it. */
class DescriptorsTest {
  private static final String CRD =
      """
      metadata: {name: things.example.com}
      spec:
        names: {kind: Thing}
        versions:
        - schema:
            openAPIV3Schema:
              properties:
                spec:
                  properties:
                    mode: {type: string, enum: [Fast, Safe], description: How.}
                    replicas: {type: integer, description: How many.}
                    tls: {type: object, description: Keys., properties: {secretRef: {type: object, description: Which., properties: {name: {type: string, description: Name.}}}}}
                    stores:
                      type: array
                      description: Where.
                      items:
                        properties:
                          kept: {type: boolean, description: Whether.}
                          resources: {type: object, description: Amounts., properties: {limits: {type: object}}}
                status:
                  properties:
                    conditions: {type: array, description: State., items: {properties: {type: {type: string, description: Type.}}}}
      """;

  @Test
  void everyFieldHasOne() throws IOException {
    JsonNode definition = Deliverables.YAML.readTree(CRD);
    Crd crd = new Crd("things.yaml", CRD, definition);
    assertThat(Descriptors.of(crd, Descriptors.Part.SPEC))
        .map(JsonNode::toString)
        .containsExactly(
            """
            {"path":"mode","displayName":"Mode","description":"How.",\
            "x-descriptors":["urn:alm:descriptor:com.tectonic.ui:select:Fast","urn:alm:descriptor:com.tectonic.ui:select:Safe"]}""",
            """
            {"path":"replicas","displayName":"Replicas","description":"How many.","x-descriptors":["urn:alm:descriptor:com.tectonic.ui:podCount"]}""",
            """
            {"path":"tls","displayName":"Tls","description":"Keys."}""",
            """
            {"path":"tls.secretRef","displayName":"Tls: Secret Ref","description":"Which."}""",
            """
            {"path":"tls.secretRef.name","displayName":"Tls: Secret Ref: Name","description":"Name.",\
            "x-descriptors":["urn:alm:descriptor:io.kubernetes:Secret"]}""",
            """
            {"path":"stores","displayName":"Stores","description":"Where."}""",
            """
            {"path":"stores[0].kept","displayName":"Stores: Kept","description":"Whether.",\
            "x-descriptors":["urn:alm:descriptor:com.tectonic.ui:booleanSwitch"]}""",
            """
            {"path":"stores[0].resources","displayName":"Stores: Resources","description":"Amounts.",\
            "x-descriptors":["urn:alm:descriptor:com.tectonic.ui:resourceRequirements"]}""");
    assertThat(Descriptors.of(crd, Descriptors.Part.STATUS).findValuesAsText("path"))
        .isEqualTo(List.of("conditions", "conditions[0].type"));
  }

  @ParameterizedTest
  @CsvSource({
    "maxNodes, Max Nodes",
    "network.podCIDRs, Network: Pod CIDRs",
    "storage.stores[0].memory, Storage: Stores: Memory"
  })
  void namesCanBeRead(String path, String name) {
    assertThat(Descriptors.displayName(path)).isEqualTo(name);
  }
}
