// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose a Secret is, and what is written on it. */
class OwnershipTest {
  private static final ControlPlane OWNER = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
  private static final Map<String, String> LABELS = Map.of("l", "v");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // UID in its controller's reference | in the annotation | is ours, another's, left by
        "u | -    | true  | false | -",
        "u | u    | true  | false | -",
        "- | u    | true  | false | -",
        "x | -    | false | true  | -",
        "x | u    | false | true  | -",
        "x | x    | false | true  | -",
        "- | x    | false | false | x",
        "- | -    | false | false | -",
      })
  void aSecretIsWhoseUidItSays(
      String controller, String record, boolean ours, boolean anothers, String leftBy) {
    Secret secret = secret(controller, record);
    assertThat(Ownership.isOf(secret, OWNER)).isEqualTo(ours);
    assertThat(Ownership.isOfAnother(secret, OWNER)).isEqualTo(anothers);
    assertThat(Ownership.retainedFrom(secret, OWNER).orElse(null)).isEqualTo(leftBy);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "u, -, true",
        "u, -, false",
        "u, u, true",
        "-, u, false",
        "-, x, true",
        "-, x, false",
        "-, -, true",
        "-, -, false",
      })
  void aPatchMakesItOursAndIsNotWrittenTwice(String controller, String record, boolean retained) {
    Secret secret = secret(controller, record);
    secret.getMetadata().getLabels().put(ControlPlaneNames.RETAINED_LABEL, "true");
    assertThat(Ownership.isWritten(secret, OWNER, LABELS, retained)).isFalse();
    Secret after = patched(secret, retained, LABELS);
    assertThat(Ownership.isOf(after, OWNER)).isTrue();
    assertThat(after.hasOwnerReferenceFor(OWNER)).isNotEqualTo(retained);
    assertThat(Ownership.isWritten(after, OWNER, LABELS, retained)).isTrue();
    assertThat(Ownership.isWritten(after, OWNER, LABELS, !retained)).isFalse();
    assertThat(Ownership.takenOverFrom(after).isPresent()).isEqualTo("x".equals(record));
    assertThat(after.getMetadata().getLabels()).doesNotContainKey(ControlPlaneNames.RETAINED_LABEL);
  }

  @Test
  void oneThatOutlivesItsOwnerHasALabel() {
    Map<String, String> labels = Map.of("l", "v", ControlPlaneNames.RETAINED_LABEL, "true");
    Secret before = secret("u", "u");
    assertThat(Ownership.isWritten(before, OWNER, labels, true)).isFalse();
    Secret after = patched(before, true, labels);
    assertThat(after.getMetadata().getLabels())
        .containsEntry(ControlPlaneNames.RETAINED_LABEL, "true");
    assertThat(Ownership.isWritten(after, OWNER, labels, true)).isTrue();
  }

  @Test
  void ownersThatAPersonNamedStay() {
    Secret secret = secret(null, null);
    secret
        .getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder().withKind("App").withName("a").withUid("a").build()));
    for (boolean retained : new boolean[] {true, false}) {
      assertThat(patched(secret, retained, LABELS).getMetadata().getOwnerReferences())
          .extracting("uid")
          .contains("a");
    }
  }

  /** As the API server applies a JSON merge patch to what is written here. */
  private static Secret patched(Secret secret, boolean retained, Map<String, String> labels) {
    ObjectMapper json = new ObjectMapper();
    try {
      ObjectNode merged = (ObjectNode) json.readTree(json.writeValueAsString(secret));
      merge(merged, json.readTree(Ownership.patch(secret, OWNER, labels, retained)));
      return json.treeToValue(merged, Secret.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void merge(ObjectNode object, JsonNode patch) {
    for (Map.Entry<String, JsonNode> field : patch.properties()) {
      if (field.getValue().isNull()) {
        object.remove(field.getKey());
      } else if (field.getValue().isObject()) {
        merge(object.withObjectProperty(field.getKey()), field.getValue());
      } else {
        object.set(field.getKey(), field.getValue());
      }
    }
  }

  private static Secret secret(String controllerUid, String recordedUid) {
    return new SecretBuilder()
        .withNewMetadata()
        .withName("demo-ca")
        .addToLabels("of", "a person")
        .withAnnotations(
            recordedUid == null ? null : Map.of(ControlPlaneNames.CONTROL_PLANE_UID, recordedUid))
        .withOwnerReferences(
            controllerUid == null
                ? List.of()
                : List.of(
                    new OwnerReferenceBuilder()
                        .withApiVersion("exaplane.io/v1alpha1")
                        .withKind("ControlPlane")
                        .withName("demo")
                        .withUid(controllerUid)
                        .withController(true)
                        .build()))
        .endMetadata()
        .build();
  }
}
