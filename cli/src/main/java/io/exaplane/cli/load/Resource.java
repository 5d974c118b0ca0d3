// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

/** Kinds of objects that loads create. */
enum Resource {
  NODES("nodes", "/api/v1", false),
  LEASES("leases", "/apis/coordination.k8s.io/v1", true),
  PODS("pods", "/api/v1", true),
  CONFIG_MAPS("configmaps", "/api/v1", true),
  SECRETS("secrets", "/api/v1", true),
  NAMESPACES("namespaces", "/api/v1", false);

  private final String plural;
  private final String group;
  private final boolean namespaced;

  Resource(String plural, String group, boolean namespaced) {
    this.plural = plural;
    this.group = group;
    this.namespaced = namespaced;
  }

  String plural() {
    return plural;
  }

  /** The group of the API; empty for the core. */
  String group() {
    return group.startsWith("/apis/") ? group.split("/")[2] : "";
  }

  /** The path of all of them. */
  String all() {
    return group + "/" + plural;
  }

  boolean isNamespaced() {
    return namespaced;
  }

  /** The path of those in a namespace. */
  String in(String namespace) {
    return namespaced ? group + "/namespaces/" + namespace + "/" + plural : all();
  }
}
