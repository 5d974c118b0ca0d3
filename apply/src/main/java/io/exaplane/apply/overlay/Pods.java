// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Where the pods and lists of built-in kinds are. Pure. */
final class Pods {
  private static final Set<String> WORKLOADS =
      Set.of(
          "ReplicationController",
          "Deployment.apps",
          "ReplicaSet.apps",
          "DaemonSet.apps",
          "StatefulSet.apps",
          "Job.batch");

  private Pods() {}

  /** Whether {@code spec.template} is of pods. */
  static boolean isWorkload(Item item) {
    return WORKLOADS.contains(item.gvk.groupKind());
  }

  static boolean isCronJob(Item item) {
    return item.gvk.groupKind().equals("CronJob.batch");
  }

  /** The pod's specification inside of an object; missing for other kinds. */
  static JsonNode spec(Item item) {
    if (isWorkload(item)) {
      return item.object.path("spec").path("template").path("spec");
    }
    return switch (item.gvk.groupKind()) {
      case "Pod" -> item.object.path("spec");
      case "PodTemplate" -> item.object.path("template").path("spec");
      case "CronJob.batch" ->
          at(item.object, "spec", "jobTemplate", "spec", "template").path("spec");
      default -> item.object.path("\0");
    };
  }

  static JsonNode at(JsonNode from, String... fields) {
    JsonNode node = from;
    for (String field : fields) {
      node = node.path(field);
    }
    return node;
  }

  /** The maps at a path, through all lists on the way. */
  static List<ObjectNode> maps(JsonNode from, String... fields) {
    List<JsonNode> nodes = List.of(from);
    for (String field : fields) {
      List<JsonNode> next = new ArrayList<>();
      for (JsonNode node : nodes) {
        JsonNode value = node.path(field);
        if (value.isArray()) {
          value.forEach(next::add);
        } else {
          next.add(value);
        }
      }
      nodes = next;
    }
    return nodes.stream().filter(ObjectNode.class::isInstance).map(ObjectNode.class::cast).toList();
  }

  /** The map at a path, created with all maps on the way; null if something else is there. */
  static ObjectNode make(ObjectNode from, String... fields) {
    ObjectNode node = from;
    for (String field : fields) {
      JsonNode value = node.path(field);
      if (value.isMissingNode() || value.isNull()) {
        node = node.putObject(field);
      } else if (value instanceof ObjectNode map) {
        node = map;
      } else {
        return null;
      }
    }
    return node;
  }
}
