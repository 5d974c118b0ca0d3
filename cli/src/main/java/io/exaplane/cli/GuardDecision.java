// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.measure.MeasurementException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A decision of a meltdown guard. Immutable.
 *
 * @param at RFC 3339 time
 * @param act as in the ControlPlane's status
 */
record GuardDecision(String at, String controlPlane, String act, String reason, String message) {
  /**
   * The decisions of ControlPlanes, the oldest first.
   *
   * @param name of the one that is asked about; null for all
   * @throws MeasurementException if there is no such ControlPlane
   */
  static List<GuardDecision> of(List<JsonNode> all, String name, Instant since) {
    List<GuardDecision> found = new ArrayList<>();
    boolean isThere = name == null;
    for (JsonNode each : all) {
      String owner = each.at("/metadata/name").asText();
      if (name == null || name.equals(owner)) {
        isThere = true;
        for (JsonNode decision : each.at("/status/guard/decisions")) {
          if (!Instant.parse(decision.path("at").asText()).isBefore(since)) {
            found.add(
                new GuardDecision(
                    decision.path("at").asText(),
                    owner,
                    decision.path("act").asText(),
                    decision.path("reason").asText(),
                    decision.path("message").asText()));
          }
        }
      }
    }
    if (!isThere) {
      throw new MeasurementException(
          "there is no ControlPlane %s; 'kubectl get cpl -A' lists them".formatted(name));
    }
    found.sort(Comparator.comparing(GuardDecision::at));
    return found;
  }
}
