// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A condition of one of the operator's objects. Immutable.
 *
 * @param since RFC 3339 time of the last change of the status
 */
public record Condition(String type, String status, String reason, String message, String since) {
  /** False is good. */
  private static final Set<String> BAD_WHEN_TRUE =
      Set.of(
          "Progressing", "Degraded", "Deleting", "OperatorUpdatePending", "Stalled", "Reconciling");

  /** They repeat others. */
  static final Set<String> FOR_TOOLS = Set.of("Ready", "Reconciling", "Stalled");

  /** All conditions of an object, in its order. */
  public static List<Condition> of(JsonNode object) {
    List<Condition> all = new ArrayList<>();
    for (JsonNode each : object.at("/status/conditions")) {
      all.add(
          new Condition(
              each.path("type").asText(),
              each.path("status").asText(),
              each.path("reason").asText(),
              each.path("message").asText(),
              each.path("lastTransitionTime").asText()));
    }
    return all;
  }

  /** The one of a type. */
  public static Optional<Condition> of(JsonNode object, String type) {
    return of(object).stream().filter(each -> each.type.equalsIgnoreCase(type)).findFirst();
  }

  /** Whether nobody needs to look. */
  public boolean isGood() {
    return status.equals(BAD_WHEN_TRUE.contains(type) ? "False" : "True");
  }

  @JsonIgnore
  public boolean isTrue() {
    return status.equals("True");
  }

  /** As "Available is False (Unavailable) since 2026-11-28T07:00:00Z: words". */
  String words() {
    return "%s is %s (%s)%s: %s"
        .formatted(type, status, reason, since.isEmpty() ? "" : " since " + since, message);
  }
}
