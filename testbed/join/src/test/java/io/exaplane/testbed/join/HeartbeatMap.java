// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

/**
 * What hosts of the pool {@code edge} read each second, and the right to read it, as the operator
 * makes them.
 */
final class HeartbeatMap {
  private static final String NAME = "exaplane-heartbeats-edge";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/kube-system/configmaps";
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/";

  private HeartbeatMap() {}

  /** Makes both. */
  static void make(Cluster cluster, String heartbeats, String percent) throws Exception {
    cluster.made(
        RBAC + "roles",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "%1$s"},
         "rules": [{"apiGroups": [""], "resources": ["configmaps"], "resourceNames": ["%1$s"], "verbs": ["get"]}]}
        """
            .formatted(NAME));
    cluster.made(
        RBAC + "rolebindings",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "%1$s"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "%1$s"},
         "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "system:nodes"}]}
        """
            .formatted(NAME));
    cluster.made(
        CONFIG_MAPS,
        """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "%s"}, "data": %s}
        """
            .formatted(NAME, data(heartbeats, percent)));
  }

  /** Changes what is released. */
  static void release(Cluster cluster, String heartbeats, String percent) throws Exception {
    cluster.changed(
        CONFIG_MAPS + "/" + NAME, "{\"data\": %s}".formatted(data(heartbeats, percent)));
  }

  /** Changes which CAs hosts are to trust. */
  static void trust(Cluster cluster, String authorities, String proof) throws Exception {
    cluster.changed(
        CONFIG_MAPS + "/" + NAME,
        "{\"data\": {\"authorities\": \"%s\", \"proof\": \"%s\", \"authoritiesReleasedPercent\": \"100\"}}"
            .formatted(authorities, proof));
  }

  private static String data(String heartbeats, String percent) {
    return "{\"heartbeats\": \"%s\", \"releasedPercent\": \"%s\", \"secondsBetweenLooks\": \"1\"}"
        .formatted(heartbeats, percent);
  }
}
