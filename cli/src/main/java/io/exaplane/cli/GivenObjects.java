// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.model.Fields;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the files have of the objects that pods refer to: names, and the few fields that lead to
 * other objects. One thread.
 */
final class GivenObjects {
  static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
  static final String OLD_DEFAULT_CLASS = "storageclass.beta.kubernetes.io/is-default-class";

  /** Where old claims have their class. */
  private static final String CLASS = "volume.beta.kubernetes.io/storage-class";

  private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

  /**
   * A claim.
   *
   * @param storageClass null if it has none, empty if it wants none
   */
  record Claim(String storageClass, String volume) {}

  private final Map<String, Set<String>> names = new HashMap<>();
  private final Map<String, Claim> claims = new HashMap<>();
  private final Map<String, String> provisioners = new HashMap<>();
  private final Map<String, String> volumeDrivers = new HashMap<>();
  private final Set<String> driversWithCapacity = new HashSet<>();
  private final Set<String> extendedResources = new HashSet<>();
  private final Set<String> nodesWithoutAllocatable = new TreeSet<>();
  private final Set<String> nodesOfPods = new TreeSet<>();
  private final Set<String> hostPortsNotTold = new HashSet<>();
  private final Map<String, Long> priorities = new HashMap<>();
  private boolean defaultClass;
  private String defaultPriority = "";
  private boolean watchesNamespaces;

  void take(Fields object) {
    Fields meta = object.child("metadata");
    String kind = object.string("kind");
    String name = meta.string("name");
    String key = meta.string("namespace", "default") + "/" + name;
    Fields spec = object.child("spec");
    switch (kind) {
      case "Node" -> node(object, name);
      case "Pod" -> pod(spec);
      case "PersistentVolumeClaim" ->
          claims.put(
              key,
              new Claim(
                  spec.has("storageClassName")
                      ? spec.string("storageClassName")
                      : meta.child("annotations").string(CLASS, null),
                  spec.string("volumeName")));
      case "PersistentVolume" -> volumeDrivers.put(name, spec.child("csi").string("driver"));
      case "StorageClass" -> {
        provisioners.put(name, object.string("provisioner"));
        Fields notes = meta.child("annotations");
        defaultClass |=
            notes.string(DEFAULT_CLASS).equals("true")
                || notes.string(OLD_DEFAULT_CLASS).equals("true");
      }
      case "CSIDriver" -> {
        if (spec.bool("storageCapacity", false)) {
          driversWithCapacity.add(name);
        }
      }
      case "DeviceClass" -> extendedResources.add(spec.string("extendedResourceName"));
      case "PriorityClass" -> {
        priorities.put(name, object.integer("value", 0));
        defaultPriority = object.bool("globalDefault", false) ? name : defaultPriority;
      }
      default -> {}
    }
    names.computeIfAbsent(kind, any -> new HashSet<>()).add(isGlobal(kind) ? name : key);
  }

  private static boolean isGlobal(String kind) {
    return switch (kind) {
      case "Pod",
          "PersistentVolumeClaim",
          "Service",
          "ReplicaSet",
          "ReplicationController",
          "StatefulSet",
          "ResourceClaim",
          "PodGroup",
          "CSIStorageCapacity",
          "PodDisruptionBudget" ->
          false;
      default -> true;
    };
  }

  private void node(Fields object, String name) {
    if (!object.child("status").has("allocatable")) {
      nodesWithoutAllocatable.add(name);
    }
    object.child("status").child("allocatable").names().forEach(extendedResources::add);
  }

  private void pod(Fields spec) {
    String node = spec.string("nodeName");
    if (node.isEmpty()) {
      return;
    }
    nodesOfPods.add(node);
    PodNeeds.portsOfHost(spec).forEach(hostPortsNotTold::add);
    for (Fields term :
        spec.child("affinity")
            .child("podAntiAffinity")
            .children("requiredDuringSchedulingIgnoredDuringExecution")) {
      watchesNamespaces |= term.child("namespaceSelector").names().iterator().hasNext();
    }
  }

  boolean has(String kind, String name) {
    return names.getOrDefault(kind, Set.of()).contains(name);
  }

  boolean hasAny(String kind) {
    return !names.getOrDefault(kind, Set.of()).isEmpty();
  }

  Claim claim(String key) {
    return claims.get(key);
  }

  boolean hasDefaultClass() {
    return defaultClass;
  }

  /** Empty if the class is not there. */
  String provisioner(String storageClass) {
    return provisioners.getOrDefault(storageClass, "");
  }

  boolean isLocal(String storageClass) {
    return provisioner(storageClass).equals(NO_PROVISIONER);
  }

  boolean tellsCapacity(String driver) {
    return driversWithCapacity.contains(driver);
  }

  String driverOf(String volume) {
    return volumeDrivers.getOrDefault(volume, "");
  }

  boolean isSomewhere(String resource) {
    return extendedResources.contains(resource);
  }

  boolean isTakenOnHosts(String port) {
    return hostPortsNotTold.contains(port);
  }

  boolean keepsByNamespaces() {
    return watchesNamespaces;
  }

  /** The value of a class; null if it is not there. */
  Long priority(String name) {
    return priorities.get(name);
  }

  String defaultPriority() {
    return defaultPriority;
  }

  Set<String> nodesWithoutAllocatable() {
    return nodesWithoutAllocatable;
  }

  /** Nodes on which pods are and that are not there. */
  Set<String> missingNodes() {
    Set<String> missing = new TreeSet<>(nodesOfPods);
    missing.removeAll(names.getOrDefault("Node", Set.of()));
    return missing;
  }
}
