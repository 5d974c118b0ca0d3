// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** The objects of a {@link ListStorm}: one of each Kind, which a store then has many copies of. */
final class StormObjects {
  static final String NAME = "copied-0000000";
  private static final JsonMapper JSON = new JsonMapper();
  private static int marks;

  private StormObjects() {}

  /** Its key in the store. */
  static String key(String kind) {
    return switch (kind) {
      case "nodes" -> "/registry/minions/" + NAME;
      case "services" -> "/registry/services/specs/default/" + NAME;
      default -> "/registry/pods/default/" + NAME;
    };
  }

  static String first(String kind) {
    String metadata =
        "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"app\":\"some-app\"}}".formatted(NAME);
    return metadata
        + switch (kind) {
          case "nodes" -> ",\"spec\":{\"podCIDR\":\"fd00::/96\"}}";
          // Without an address, of which no two may have the same.
          case "services" ->
              ",\"spec\":{\"clusterIP\":\"None\",\"selector\":{\"app\":\"some-app\"},\"ports\":[{\"port\":80}]}}";
          default ->
              ",\"spec\":{\"nodeName\":\"node-1\",\"containers\":[{\"name\":\"c\",\"image\":\"registry.example.org/image:1\",\"env\":[%s]}]}}"
                  .formatted(variables());
        };
  }

  private static String variables() {
    StringBuilder variables = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      variables
          .append(i == 0 ? "" : ",")
          .append("{\"name\":\"VARIABLE_%d\",\"value\":\"a value %1$d\"}".formatted(i));
    }
    return variables.toString();
  }

  /** A change that no other one was. */
  static String mark(String kind) {
    String type =
        switch (kind) {
          case "nodes" -> "Node";
          case "services" -> "Service";
          default -> "Pod";
        };
    return "{\"apiVersion\":\"v1\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\",\"annotations\":{\"mark\":\"%d\"}}}"
        .formatted(type, NAME, ++marks);
  }

  static long revision(String object) throws JsonProcessingException {
    return JSON.readTree(object).at("/metadata/resourceVersion").asLong();
  }
}
