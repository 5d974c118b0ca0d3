// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

/** The Kinds of objects that the operator creates for a control plane without running pods. */
enum OwnedKind {
  SERVICE("Service", "/api/v1/services"),
  SECRET("Secret", "/api/v1/secrets"),
  CONFIG_MAP("ConfigMap", "/api/v1/configmaps"),
  STATEFUL_SET("StatefulSet", "/apis/apps/v1/statefulsets"),
  BUDGET("PodDisruptionBudget", "/apis/policy/v1/poddisruptionbudgets"),
  STORE_SHARD("StoreShard", "/apis/exaplane.io/v1alpha1/storeshards");

  private final String kind;
  private final String path;

  OwnedKind(String kind, String path) {
    this.kind = kind;
    this.path = path;
  }

  /** As manifests have it. */
  String kind() {
    return kind;
  }

  /** Of the objects in all namespaces. */
  String path() {
    return path;
  }
}
