// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * An object as a client knows it. Immutable: nobody changes the tree.
 *
 * @param isInDoubt whether an earlier write to it may still come to effect
 */
record Held(ObjectNode object, boolean isInDoubt) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String NUMBER = "number";

  static Held of(String body) throws JsonProcessingException {
    return new Held((ObjectNode) JSON.readTree(body), false);
  }

  Held inDoubt() {
    return new Held(object, true);
  }

  long number() {
    return object.at("/metadata/annotations/" + NUMBER).asLong(-1);
  }

  String version() {
    return metadata("resourceVersion");
  }

  long revision() {
    return Long.parseLong(version());
  }

  boolean isTerminating() {
    return object.at("/metadata").has("deletionTimestamp");
  }

  /** The object with the number raised by one, and the same resourceVersion. */
  String raised() {
    ObjectNode copy = object.deepCopy();
    ((ObjectNode) copy.at("/metadata/annotations")).put(NUMBER, Long.toString(number() + 1));
    return copy.toString();
  }

  /** Options that delete exactly this. */
  String deletion() {
    return """
        {"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":0,
         "preconditions":{"uid":"%s","resourceVersion":"%s"}}
        """
        .formatted(metadata("uid"), version());
  }

  private String metadata(String field) {
    JsonNode value = object.at("/metadata/" + field);
    return value.asText();
  }
}
