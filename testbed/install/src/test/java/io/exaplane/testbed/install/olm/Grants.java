// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Objects that OLM made from a bundle, in a form that can be compared with it. Stateless. */
final class Grants {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ACCOUNT = "exaplane-operator";

  private Grants() {}

  /** Rules of the ClusterRoles that are bound to the operator's account. */
  static Set<String> rules(KubernetesClient client) {
    Set<String> roles = new TreeSet<>();
    for (ClusterRoleBinding binding : client.rbac().clusterRoleBindings().list().getItems()) {
      boolean isOfOperator =
          binding.getSubjects().stream()
              .anyMatch(
                  subject ->
                      subject.getName().equals(ACCOUNT)
                          && OlmCluster.NAMESPACE.equals(subject.getNamespace()));
      if (isOfOperator) {
        roles.add(binding.getRoleRef().getName());
      }
    }
    Set<String> rules = new TreeSet<>();
    for (ClusterRole role : client.rbac().clusterRoles().list().getItems()) {
      if (roles.contains(role.getMetadata().getName())) {
        for (JsonNode rule : json(role).get("rules")) {
          rules.add(text(rule));
        }
      }
    }
    return rules;
  }

  /** Rules that a ClusterServiceVersion asks for. */
  static Set<String> rules(JsonNode csv) {
    Set<String> rules = new TreeSet<>();
    for (JsonNode permission : csv.at("/spec/install/spec/clusterPermissions")) {
      for (JsonNode rule : permission.get("rules")) {
        rules.add(text(rule));
      }
    }
    return rules;
  }

  private static String text(JsonNode rule) {
    return "%s %s %s %s"
        .formatted(
            rule.path("apiGroups"),
            rule.path("resources"),
            rule.path("resourceNames"),
            rule.path("verbs"));
  }

  static JsonNode json(Object object) {
    return JSON.valueToTree(object);
  }

  /**
   * Whether everything that is wanted is found; what the API or OLM added is nobody's matter.
   * Numbers and texts are compared by what they say, and what the API leaves out is no, or nothing.
   */
  static boolean covers(JsonNode found, JsonNode wanted) {
    if (found.isMissingNode() && wanted.isValueNode()) {
      return List.of("", "0", "false").contains(wanted.asText());
    }
    if (wanted.isObject()) {
      return wanted.properties().stream()
          .allMatch(field -> covers(found.path(field.getKey()), field.getValue()));
    }
    if (wanted.isArray()) {
      for (JsonNode each : wanted) {
        boolean isThere = false;
        for (JsonNode other : found) {
          isThere |= covers(other, each);
        }
        if (!isThere) {
          return false;
        }
      }
      return true;
    }
    if (wanted.isNumber() && found.isNumber()) {
      return wanted.asDouble() == found.asDouble();
    }
    return wanted.asText().equals(found.asText());
  }
}
