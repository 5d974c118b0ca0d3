// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a cluster does not survive, or not unharmed, when it is deleted behind the API. Pure. */
final class SystemKinds {
  private static final Set<String> NAMESPACES =
      Set.of("kube-system", "kube-public", "kube-node-lease");

  private static final String ACCESS = "accounts and components lose their rights";
  private static final String VOLUMES = "volumes are no longer known, and are lost or left behind";
  private static final String OF_API = "the API loses a part of itself";
  private static final String TRAFFIC = "traffic inside the cluster goes nowhere";

  private static final Map<String, String> CONSEQUENCES =
      Map.ofEntries(
          Map.entry("namespaces", "what is in them can no longer be managed"),
          Map.entry("minions", "nodes leave the cluster, and their pods are taken for lost"),
          Map.entry("pods", "kubelets end their containers"),
          Map.entry("leases", "leaders step down, and nodes are taken for dead"),
          Map.entry("serviceaccounts", ACCESS),
          Map.entry("clusterroles", ACCESS),
          Map.entry("clusterrolebindings", ACCESS),
          Map.entry("roles", ACCESS),
          Map.entry("rolebindings", ACCESS),
          Map.entry("services", TRAFFIC),
          Map.entry("endpoints", TRAFFIC),
          Map.entry("endpointslices", TRAFFIC),
          Map.entry("ranges", "addresses and ports are given out twice"),
          Map.entry("ipaddresses", "addresses are given out twice"),
          Map.entry("servicecidrs", "Services get no addresses"),
          Map.entry("masterleases", "clients lose the API's addresses"),
          Map.entry("peerserverleases", OF_API),
          Map.entry("persistentvolumes", VOLUMES),
          Map.entry("persistentvolumeclaims", VOLUMES),
          Map.entry("volumeattachments", VOLUMES),
          Map.entry("storageclasses", "claims get no volumes"),
          Map.entry("csidrivers", "volumes are not mounted"),
          Map.entry("csinodes", "volumes are not mounted"),
          Map.entry(
              "customresourcedefinitions.apiextensions.k8s.io",
              "their objects can no longer be reached"),
          Map.entry("apiservices.apiregistration.k8s.io", OF_API),
          Map.entry("prioritylevelconfigurations", OF_API),
          Map.entry("flowschemas", OF_API),
          Map.entry("priorityclasses", "pods that name them are refused"),
          Map.entry("validatingwebhookconfigurations", "what they forbid is allowed"),
          Map.entry("mutatingwebhookconfigurations", "what they add is missing"),
          Map.entry("validatingadmissionpolicies", "what they forbid is allowed"),
          Map.entry("validatingadmissionpolicybindings", "what they forbid is allowed"));

  private SystemKinds() {}

  /** What follows when keys of a group are deleted; nothing if they are users' objects. */
  static Optional<String> consequence(KeyGroup group) {
    if (group.equals(KeyGroup.OTHER)) {
      return Optional.of("these are not kube-apiserver's objects, and somebody keeps them");
    }
    String known = CONSEQUENCES.get(group.kind());
    if (known != null) {
      return Optional.of(known);
    }
    return NAMESPACES.contains(group.namespace())
        ? Optional.of("the cluster's own components use what is in " + group.namespace())
        : Optional.empty();
  }
}
