// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

import java.util.Set;

/**
 * Kinds without whose small objects a kube-apiserver does not start, or loses its peers: a store
 * that is full keeps some room for them. Those that users make by the thousand, as ConfigMaps,
 * Secrets, Events, are none of them.
 */
final class VitalKinds {
  private static final Set<String> NAMES =
      Set.of(
          // who leads, which kube-apiservers there are
          "leases",
          "masterleases",
          // which addresses and ports Services have
          "ranges",
          "ipaddresses",
          "servicecidrs",
          // the Service kubernetes, and the namespaces that a kube-apiserver makes
          "endpoints",
          "endpointslices",
          "namespaces",
          // what the start's hooks make, and wait for
          "clusterroles",
          "clusterrolebindings",
          "roles",
          "rolebindings",
          "flowschemas",
          "prioritylevelconfigurations",
          "priorityclasses",
          "apiservices.apiregistration.k8s.io");

  private VitalKinds() {}

  static boolean has(String kind) {
    return NAMES.contains(kind);
  }
}
