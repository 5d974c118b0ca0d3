// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.ResourceType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Reads {@code APIGroupDiscoveryList} (KEP-3352). One thread. */
final class DiscoveryReader {
  /** The document of Kubernetes 1.30 and later, or that of 1.27 and later. */
  static final String ACCEPT =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
          + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

  private final Map<Gvk, ResourceType> types = new HashMap<>();
  private final Set<String> stale = new HashSet<>();

  /** Takes one of both documents. */
  void take(ObjectNode document) throws ApiException {
    if (!document.path("kind").asText("").equals("APIGroupDiscoveryList")) {
      throw Failures.senseless(
          "the server has no aggregated discovery; use Kubernetes 1.27 or later");
    }
    for (JsonNode group : document.path("items")) {
      String name = group.path("metadata").path("name").asText("");
      for (JsonNode version : group.path("versions")) {
        if (version.path("freshness").asText("").equals("Stale")) {
          stale.add(name);
        }
        for (JsonNode resource : version.path("resources")) {
          take(name, version.path("version").asText(""), resource);
        }
      }
    }
  }

  private void take(String group, String version, JsonNode resource) {
    JsonNode response = resource.path("responseKind");
    String other = response.path("group").asText("");
    String kind = response.path("kind").asText("");
    if (kind.isEmpty() || !other.isEmpty() && !other.equals(group)) {
      return;
    }
    Set<String> verbs = new HashSet<>();
    resource.path("verbs").forEach(verb -> verbs.add(verb.asText()));
    Gvk gvk = new Gvk(group, version, kind);
    boolean namespaced = resource.path("scope").asText("").equals("Namespaced");
    types.putIfAbsent(
        gvk,
        new ResourceType(gvk, resource.path("resource").asText(""), namespaced, Set.copyOf(verbs)));
  }

  Discovery discovery() {
    return new Discovery(types, stale);
  }
}
