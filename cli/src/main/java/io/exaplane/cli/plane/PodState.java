// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a pod's status says of it. Pure.
 *
 * @param ready whether the pod serves
 * @param state in one or two words
 * @param words what keeps it from being ready, in the words of who knows; empty if nothing does
 * @param container the one that decides; empty if none does
 * @param previous whether the words are in the log before its last restart
 * @param restarts of all its containers
 */
public record PodState(
    boolean ready, String state, String words, String container, boolean previous, int restarts) {
  private static final Set<String> USUAL = Set.of("ContainerCreating", "PodInitializing");

  /** Of a pod as the API gives it. */
  public static PodState of(JsonNode pod) {
    int restarts = 0;
    for (JsonNode each : containers(pod)) {
      restarts += each.path("restartCount").asInt();
    }
    if (!pod.at("/metadata/deletionTimestamp").isMissingNode()) {
      String since = pod.at("/metadata/deletionTimestamp").asText();
      return new PodState(false, "Terminating", "terminating since " + since, "", false, restarts);
    }
    String reason = pod.at("/status/reason").asText();
    if (!reason.isEmpty()) {
      String words = reason + ": " + pod.at("/status/message").asText();
      return new PodState(false, reason, words, "", false, restarts);
    }
    for (JsonNode each : pod.at("/status/conditions")) {
      if (isFalse(each, "PodScheduled")) {
        String words = "no node accepts the pod: " + each.path("message").asText();
        return new PodState(false, "Unschedulable", words, "", false, restarts);
      }
    }
    for (JsonNode each : containers(pod)) {
      if (isTroubled(each)) {
        return ofContainer(each, restarts);
      }
    }
    return isReady(pod)
        ? new PodState(true, "Ready", "", "", false, restarts)
        : new PodState(false, "not ready", words(pod), running(pod), false, restarts);
  }

  /** Containers of the start first, since the others wait for them. */
  static List<JsonNode> containers(JsonNode pod) {
    List<JsonNode> all = new ArrayList<>();
    pod.at("/status/initContainerStatuses").forEach(all::add);
    pod.at("/status/containerStatuses").forEach(all::add);
    return all;
  }

  private static boolean isFalse(JsonNode condition, String type) {
    return condition.path("type").asText().equals(type)
        && condition.path("status").asText().equals("False");
  }

  private static boolean isReady(JsonNode pod) {
    for (JsonNode each : pod.at("/status/conditions")) {
      if (each.path("type").asText().equals("Ready")) {
        return each.path("status").asText().equals("True");
      }
    }
    return false;
  }

  private static boolean isTroubled(JsonNode status) {
    JsonNode waiting = status.at("/state/waiting");
    JsonNode ended = status.at("/state/terminated");
    return waiting.isObject() && !USUAL.contains(waiting.path("reason").asText())
        || ended.isObject() && ended.path("exitCode").asInt() != 0;
  }

  private static PodState ofContainer(JsonNode status, int restarts) {
    JsonNode waiting = status.at("/state/waiting");
    JsonNode now = status.at("/state/terminated");
    JsonNode before = status.at("/lastState/terminated");
    String name = status.path("name").asText();
    String state = waiting.isObject() ? waiting.path("reason").asText("Waiting") : "Ended";
    JsonNode ended = now.isObject() ? now : before;
    StringBuilder words = new StringBuilder("container " + name + ": " + state);
    if (ended.isObject()) {
      words.append(
          ", ended with code %d (%s) at %s"
              .formatted(
                  ended.path("exitCode").asInt(),
                  ended.path("reason").asText("Error"),
                  ended.path("finishedAt").asText()));
    }
    String said = ended.path("message").asText(waiting.path("message").asText());
    if (!said.isBlank()) {
      words.append(": ").append(said.strip());
    }
    return new PodState(
        false, state, words.toString(), name, !now.isObject() && before.isObject(), restarts);
  }

  private static String words(JsonNode pod) {
    for (JsonNode each : pod.at("/status/conditions")) {
      String type = each.path("type").asText();
      if ((type.equals("Ready") || type.equals("ContainersReady"))
          && !each.path("message").asText().isEmpty()) {
        return each.path("message").asText();
      }
    }
    return "the pod is " + pod.at("/status/phase").asText("Pending") + " and not Ready";
  }

  /** The first container that runs and is not ready. */
  private static String running(JsonNode pod) {
    for (JsonNode each : containers(pod)) {
      if (each.at("/state/running").isObject() && !each.path("ready").asBoolean()) {
        return each.path("name").asText();
      }
    }
    return "";
  }
}
