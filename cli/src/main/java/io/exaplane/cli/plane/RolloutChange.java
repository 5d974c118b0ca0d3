// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a command about rollouts changes in a control plane, as a JSON merge patch. Pure.
 *
 * @param words what follows
 * @param patch empty if nothing is to change
 */
public record RolloutChange(String words, ObjectNode patch) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Whether the object is already as it is to be. */
  public boolean isNothing() {
    return patch.isEmpty();
  }

  /**
   * Holds all changes.
   *
   * @param until RFC 3339 time, or true
   */
  public static RolloutChange pause(JsonNode plane, String until) {
    String now = plane.at("/spec/pausedUntil").asText();
    if (now.equals(until)) {
      return new RolloutChange("is already paused", NODES.objectNode());
    }
    String end = until.equals("true") ? "until 'rollout resume'" : "until " + until;
    return new RolloutChange(
        "is paused " + end + ": the operator changes none of its objects, and components continue",
        spec("pausedUntil", NODES.textNode(until)));
  }

  /** Ends a pause. */
  public static RolloutChange resume(JsonNode plane) {
    return plane.at("/spec/pausedUntil").isMissingNode()
        ? new RolloutChange("is not paused", NODES.objectNode())
        : new RolloutChange(
            "is resumed: the operator applies changes again",
            spec("pausedUntil", NODES.nullNode()));
  }

  /**
   * Takes back the rollout that is under way: a move to another bundle, or one that stopped.
   *
   * @throws PlaneException if there is nothing that could be taken back
   */
  public static RolloutChange undo(JsonNode plane) {
    String asked = plane.at("/spec/rollout/bundle").asText();
    String runs = plane.at("/status/bundle").asText();
    if (!asked.isEmpty() && !runs.isEmpty() && !asked.equals(runs)) {
      ObjectNode rollout = NODES.objectNode().put("bundle", runs);
      return new RolloutChange(
          "goes back to the bundle %s: components that moved to %s are replaced again, and stores stay"
              .formatted(runs, asked),
          spec("rollout", rollout));
    }
    JsonNode rollout = plane.at("/status/rollout");
    if (!rollout.isObject()) {
      throw new PlaneException(
          "no rollout of ControlPlane %s is under way, so nothing can be taken back; change the spec to the values that you want"
              .formatted(PlaneView.name(plane)));
    }
    String component = rollout.path("component").asText();
    if (rollout.path("stalledAt").asText().isEmpty()) {
      throw new PlaneException(
          "the rollout of %s has not stopped, and follows the spec; change the spec back, or hold the rollout with 'rollout pause'"
              .formatted(component));
    }
    if (plane.at("/spec/rollout/onStall").asText().equals("Rollback")) {
      return new RolloutChange(
          "goes back already: spec.rollout.onStall is Rollback", NODES.objectNode());
    }
    return new RolloutChange(
        "goes back to the last template of %s that settled: spec.rollout.onStall is Rollback now; correct the spec, too"
            .formatted(component),
        spec("rollout", NODES.objectNode().put("onStall", "Rollback")));
  }

  private static ObjectNode spec(String field, JsonNode value) {
    ObjectNode patch = NODES.objectNode();
    patch.putObject("spec").set(field, value);
    return patch;
  }
}
