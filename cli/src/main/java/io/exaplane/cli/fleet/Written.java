// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What was written in a fleet's namespaces between two looks: the objects of the operator, the
 * ControlPlanes, and Events. Used by one thread.
 */
final class Written {
  private static final String CONTROL_PLANES = "/apis/exaplane.io/v1alpha1/controlplanes";
  private static final String EVENTS = "/api/v1/events";
  private static final String OPERATORS = "app.kubernetes.io/managed-by=exaplane";
  private static final String UNKNOWN = "unknown";

  private final Metadata metadata;
  private final FleetNames names;
  private final Set<String> namespaces;
  private final Map<String, Metadata.Item> before;

  /** Looks for the first time. */
  Written(KubernetesClient client, FleetNames names) {
    this.metadata = new Metadata(client);
    this.names = names;
    this.namespaces = names.namespaces();
    this.before = look();
  }

  private Map<String, Metadata.Item> look() {
    Map<String, Metadata.Item> all = new HashMap<>();
    for (OwnedKind kind : OwnedKind.values()) {
      add(all, kind.path(), OPERATORS);
    }
    add(all, CONTROL_PLANES, FleetNames.LABEL + "=" + names.run());
    add(all, EVENTS, "");
    return all;
  }

  private void add(Map<String, Metadata.Item> all, String path, String selector) {
    for (Metadata.Item item : metadata.list(path, selector)) {
      if (namespaces.contains(item.namespace())) {
        all.put(item.uid(), item);
      }
    }
  }

  /** How many objects each writer created, changed or deleted since, by its field manager. */
  Map<String, Integer> byWriter() {
    Map<String, Integer> counts = new TreeMap<>();
    Map<String, Metadata.Item> now = look();
    now.forEach(
        (uid, item) -> {
          Metadata.Item was = before.get(uid);
          if (was == null || !version(was).equals(version(item))) {
            counts.merge(writer(item.json()), 1, Integer::sum);
          }
        });
    before.values().stream()
        .filter(item -> !now.containsKey(item.uid()))
        // Events end by themselves after an hour.
        .filter(item -> !isEvent(item))
        .forEach(item -> counts.merge(UNKNOWN, 1, Integer::sum));
    return counts;
  }

  private static String version(Metadata.Item item) {
    return item.json().path("resourceVersion").asText();
  }

  /** Events are called after their object and the time. */
  private static boolean isEvent(Metadata.Item item) {
    return item.name().matches(".*\\.[0-9a-f]{16}");
  }

  /** Whose entry of the managed fields is the newest. */
  static String writer(JsonNode metadata) {
    String writer = UNKNOWN;
    Instant newest = Instant.MIN;
    for (JsonNode entry : metadata.path("managedFields")) {
      Instant at = entry.has("time") ? Instant.parse(entry.path("time").asText()) : Instant.EPOCH;
      if (!at.isBefore(newest)) {
        newest = at;
        writer = entry.path("manager").asText();
      }
    }
    return writer;
  }

  /** Whether a field manager is a component of Kubernetes. */
  static boolean isOfKubernetes(String writer) {
    return writer.startsWith("kube-") || writer.equals("kubelet");
  }
}
