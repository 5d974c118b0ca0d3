// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.port.ApiException;
import java.io.IOException;

/** A server's answers as trees. Thread-safe. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** An object; anything else is an answer that makes no sense. */
  static ObjectNode object(byte[] body) throws ApiException {
    if (orMissing(body) instanceof ObjectNode object) {
      return object;
    }
    throw Failures.senseless(
        "the answer is not a JSON object; check that the address is that of a kube-apiserver");
  }

  /** A value; a missing one when the bytes are no JSON. */
  static JsonNode orMissing(byte[] body) {
    try {
      JsonNode value = MAPPER.readTree(body);
      return value == null ? MissingNode.getInstance() : value;
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  static ObjectNode empty() {
    return MAPPER.createObjectNode();
  }

  static String text(ObjectNode object) {
    try {
      return MAPPER.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an object cannot be written into memory", e);
    }
  }
}
