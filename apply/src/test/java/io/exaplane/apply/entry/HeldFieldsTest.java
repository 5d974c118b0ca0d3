// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a second field manager applies before we let fields go. */
class HeldFieldsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Optional<ObjectNode> held(String managedFields, String... pointers)
      throws Exception {
    String live =
        """
        {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": 7, "paused": true, "list": [1]},
         "metadata": {"name": "web", "namespace": "shop", "resourceVersion": "9", "uid": "u",
                      "labels": {"a/b": "c"}, "managedFields": [%s]}}
        """
            .formatted(managedFields);
    return HeldFields.of((ObjectNode) JSON.readTree(live), "us", List.of(pointers));
  }

  private static String owns(String manager, String operation, String fields) {
    return "{\"manager\":\"%s\",\"operation\":\"%s\",\"fieldsV1\":%s}"
        .formatted(manager, operation, fields);
  }

  @Test
  void aFieldOfOursIsHeldAsItIs() throws Exception {
    String ours =
        owns(
            "us",
            "Apply",
            "{\"f:spec\":{\"f:replicas\":{}},\"f:metadata\":{\"f:labels\":{\"f:a/b\":{}}}}");
    assertThat(held(ours, "/spec/replicas", "/metadata/labels/a~1b", "/spec/paused"))
        .hasValue(
            (ObjectNode)
                JSON.readTree(
                    """
                    {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": 7},
                     "metadata": {"name": "web", "namespace": "shop", "resourceVersion": "9", "labels": {"a/b": "c"}}}
                    """));
  }

  @Test
  void nothingIsSentForFieldsOfOthers() throws Exception {
    assertThat(held(owns("hpa", "Update", "{\"f:spec\":{\"f:replicas\":{}}}"), "/spec/replicas"))
        .isEmpty();
    assertThat(held(owns("us", "Update", "{\"f:spec\":{\"f:replicas\":{}}}"), "/spec/replicas"))
        .isEmpty();
    assertThat(held(owns("us", "Apply", "{\"f:spec\":{\"f:list\":{}}}"), "/spec/list/0")).isEmpty();
  }

  @Test
  void whatIsHeldAlreadyStaysHeld() throws Exception {
    String ours = owns("us", "Apply", "{\"f:spec\":{\"f:paused\":{}}}");
    String held = owns("us-ignored", "Apply", "{\"f:spec\":{\"f:replicas\":{}}}");
    assertThat(held(held, "/spec/replicas", "/spec/paused")).isEmpty();
    assertThat(held(ours + "," + held, "/spec/replicas", "/spec/paused").orElseThrow().get("spec"))
        .isEqualTo(JSON.readTree("{\"replicas\": 7, \"paused\": true}"));
  }
}
