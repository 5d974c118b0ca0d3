// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.apf;

import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A flow schema of ours: who does what, and the level that it leads to. Precedences lie between
 * those that kube-apiserver makes by itself (400 for nodes, 800 for controllers, 9000 for service
 * accounts).
 *
 * @param subjects as in the API
 * @param rules resource rules as in the API
 */
record Schema(
    String name,
    int precedence,
    String priorityLevel,
    List<Map<String, Object>> subjects,
    List<Map<String, Object>> rules) {
  private static final String COORDINATION = "coordination.k8s.io";
  private static final List<String> WRITES =
      List.of("create", "update", "patch", "delete", "deletecollection");
  private static final List<String> READS = List.of("list", "watch");

  static List<Schema> all(Shape shape, boolean large) {
    List<Schema> schemas = new ArrayList<>();
    shape
        .given(Input.BREAK_GLASS_GROUP)
        .ifPresent(
            group ->
                schemas.add(
                    new Schema(
                        "exaplane-break-glass",
                        10,
                        "exempt",
                        List.of(group(group)),
                        List.of(everything(List.of("*"))))));
    if (large) {
      schemas.addAll(ofNodes());
      schemas.addAll(ofControllers());
    }
    if (!shape.list(Input.AGENTS).isEmpty()) {
      schemas.add(
          new Schema(
              FlowControl.AGENTS,
              700,
              FlowControl.AGENTS,
              accounts(shape.list(Input.AGENTS)),
              List.of(everything(List.of("*")))));
    }
    if (!shape.list(Input.HEAVY_LISTERS).isEmpty()) {
      schemas.add(
          new Schema(
              FlowControl.LISTS,
              710,
              FlowControl.LISTS,
              accounts(shape.list(Input.HEAVY_LISTERS)),
              List.of(everything(List.of("list")))));
    }
    if (large) {
      schemas.add(
          new Schema(
              FlowControl.EVENTS,
              8000,
              FlowControl.EVENTS,
              List.of(group("system:serviceaccounts")),
              List.of(
                  namespaced(
                      List.of("create", "update", "patch"),
                      List.of("", "events.k8s.io"),
                      List.of("events"),
                      "*"))));
    }
    return List.copyOf(schemas);
  }

  private static List<Schema> ofNodes() {
    List<Map<String, Object>> nodes = List.of(group("system:nodes"));
    return List.of(
        new Schema(
            "exaplane-node-leases",
            350,
            FlowControl.LEASES,
            nodes,
            List.of(
                namespaced(
                    List.of("get", "create", "update", "patch"),
                    List.of(COORDINATION),
                    List.of("leases"),
                    "kube-node-lease"))),
        new Schema(
            "exaplane-node-status",
            360,
            "node-high",
            nodes,
            List.of(
                clusterWide(
                    List.of("get", "update", "patch"),
                    List.of(""),
                    List.of("nodes", "nodes/status")))),
        new Schema(
            "exaplane-node-lists", 380, FlowControl.NODE_READS, nodes, List.of(everything(READS))),
        new Schema(
            "exaplane-data-plane",
            460,
            FlowControl.NODE_READS,
            accounts(
                List.of(
                    "kube-system/kube-proxy",
                    "kube-system/exaplane-kube-proxy",
                    "kube-system/cilium",
                    "kube-system/calico-node")),
            List.of(everything(READS))));
  }

  private static List<Schema> ofControllers() {
    return List.of(
        new Schema(
            "exaplane-slice-writers",
            780,
            FlowControl.FAN_OUT,
            accounts(
                List.of(
                    "kube-system/endpointslice-controller",
                    "kube-system/endpoint-controller",
                    "kube-system/endpointslicemirroring-controller",
                    "kube-system/service-controller")),
            List.of(everything(WRITES))),
        new Schema(
            FlowControl.CONTROLLERS,
            790,
            FlowControl.CONTROLLERS,
            List.of(user("system:kube-controller-manager"), user("system:kube-scheduler")),
            List.of(everything(List.of("*")))));
  }

  private static Map<String, Object> group(String name) {
    return Map.of("kind", "Group", "group", Map.of("name", name));
  }

  private static Map<String, Object> user(String name) {
    return Map.of("kind", "User", "user", Map.of("name", name));
  }

  private static List<Map<String, Object>> accounts(List<String> namespacedNames) {
    return namespacedNames.stream()
        .map(
            name ->
                Map.<String, Object>of(
                    "kind",
                    "ServiceAccount",
                    "serviceAccount",
                    Map.of(
                        "namespace",
                        name.substring(0, name.indexOf('/')),
                        "name",
                        name.substring(name.indexOf('/') + 1))))
        .toList();
  }

  private static Map<String, Object> everything(List<String> verbs) {
    return Map.of(
        "verbs",
        verbs,
        "apiGroups",
        List.of("*"),
        "resources",
        List.of("*"),
        "clusterScope",
        true,
        "namespaces",
        List.of("*"));
  }

  private static Map<String, Object> clusterWide(
      List<String> verbs, List<String> groups, List<String> resources) {
    return Map.of(
        "verbs", verbs, "apiGroups", groups, "resources", resources, "clusterScope", true);
  }

  private static Map<String, Object> namespaced(
      List<String> verbs, List<String> groups, List<String> resources, String namespace) {
    return Map.of(
        "verbs",
        verbs,
        "apiGroups",
        groups,
        "resources",
        resources,
        "namespaces",
        List.of(namespace));
  }
}
