// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the generators leave out of the operator's pod. */
final class PodTemplate {
  static final Comparator<JsonNode> BY_NAME =
      Comparator.comparing(variable -> variable.get("name").asText());

  private PodTemplate() {}

  /** Completes a template. A missing template stays missing. */
  static void complete(JsonNode template) {
    if (!(template.path("spec") instanceof ObjectNode spec)) {
      return;
    }
    sortEnvironment(spec.at("/containers/0"));
    restrict(spec);
    spread(spec);
    for (JsonNode container : spec.get("containers")) {
      ((ObjectNode) container).put("imagePullPolicy", pullPolicy(container.get("image").asText()));
    }
  }

  /** As the operator has it for the pods that it makes: a snapshot is built again and again. */
  static String pullPolicy(String image) {
    return image.endsWith("-SNAPSHOT") ? "Always" : "IfNotPresent";
  }

  /** The generators write a container's variables in any order. */
  private static void sortEnvironment(JsonNode container) {
    if (container.path("env") instanceof ArrayNode variables) {
      List<JsonNode> sorted = new ArrayList<>();
      variables.forEach(sorted::add);
      sorted.sort(BY_NAME);
      variables.removeAll().addAll(sorted);
    }
  }

  /** The restricted level of the Pod Security Standards; the generators know parts of it only. */
  private static void restrict(ObjectNode spec) {
    ObjectNode ofPod = spec.withObject("/securityContext");
    ofPod.put("runAsGroup", 10001);
    ofPod.withObject("/seccompProfile").put("type", "RuntimeDefault");
    for (JsonNode container : spec.get("containers")) {
      ObjectNode context = ((ObjectNode) container).putObject("securityContext");
      context.put("allowPrivilegeEscalation", false);
      context.put("readOnlyRootFilesystem", true);
      context.put("runAsNonRoot", true);
      context.putObject("capabilities").putArray("drop").add("ALL");
      context.putObject("seccompProfile").put("type", "RuntimeDefault");
    }
  }

  /** Leader and standby on different nodes and in different zones, where there are several. */
  private static void spread(ObjectNode spec) {
    ArrayNode constraints = spec.putArray("topologySpreadConstraints");
    for (String key : List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone")) {
      ObjectNode constraint = constraints.addObject();
      constraint.put("maxSkew", 1);
      constraint.put("topologyKey", key);
      constraint.put("whenUnsatisfiable", "ScheduleAnyway");
      constraint
          .withObject("/labelSelector/matchLabels")
          .put("app.kubernetes.io/name", "exaplane-operator");
      constraint.putArray("matchLabelKeys").add("pod-template-hash");
    }
  }
}
