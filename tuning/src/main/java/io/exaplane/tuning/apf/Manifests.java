// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.apf;

import io.exaplane.tuning.version.PriorityLevel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The objects as the API takes them: flowcontrol.apiserver.k8s.io/v1, which is there since 1.29.
 */
final class Manifests {
  private static final String API_VERSION = "flowcontrol.apiserver.k8s.io/v1";

  private Manifests() {}

  static Map<String, Object> of(PriorityLevel level) {
    Map<String, Object> limited = new LinkedHashMap<>();
    limited.put("nominalConcurrencyShares", level.shares());
    limited.put("lendablePercent", level.lendablePercent());
    level
        .borrowingLimitPercent()
        .ifPresent(percent -> limited.put("borrowingLimitPercent", percent));
    Map<String, Object> response = new LinkedHashMap<>();
    response.put("type", level.queues() == 0 ? "Reject" : "Queue");
    if (level.queues() > 0) {
      response.put(
          "queuing",
          new TreeMap<>(
              Map.of(
                  "queues", level.queues(),
                  "handSize", level.handSize(),
                  "queueLengthLimit", level.queueLengthLimit())));
    }
    limited.put("limitResponse", response);
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("type", "Limited");
    spec.put("limited", limited);
    return object("PriorityLevelConfiguration", level.name(), spec);
  }

  static Map<String, Object> of(Schema schema) {
    Map<String, Object> rule = new LinkedHashMap<>();
    rule.put("subjects", schema.subjects().stream().map(Manifests::sorted).toList());
    rule.put("resourceRules", schema.rules().stream().map(Manifests::sorted).toList());
    if (schema.priorityLevel().equals("exempt")) {
      // Discovery and health are no resources, and kubectl begins with them.
      rule.put(
          "nonResourceRules",
          List.of(new TreeMap<>(Map.of("verbs", List.of("*"), "nonResourceURLs", List.of("*")))));
    }
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("matchingPrecedence", schema.precedence());
    spec.put("priorityLevelConfiguration", Map.of("name", schema.priorityLevel()));
    spec.put("distinguisherMethod", Map.of("type", "ByUser"));
    spec.put("rules", List.of(rule));
    return object("FlowSchema", schema.name(), spec);
  }

  /** The same each time: maps of the JDK have an order of their own. */
  private static Map<String, Object> sorted(Map<String, Object> map) {
    return new TreeMap<>(map);
  }

  private static Map<String, Object> object(String kind, String name, Map<String, Object> spec) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", name);
    metadata.put("labels", Map.of("app.kubernetes.io/managed-by", "exaplane"));
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("apiVersion", API_VERSION);
    object.put("kind", kind);
    object.put("metadata", metadata);
    object.put("spec", spec);
    return object;
  }
}
