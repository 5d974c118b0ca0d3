// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.model.Fields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
  private final GivenNodes nodes = new GivenNodes();
  private final Set<String> listed = new HashSet<>();
  private final Set<String> repeated = new TreeSet<>();
  private final Set<String> nodesOfFile = new HashSet<>();
  private final Set<String> podsOfFile = new HashSet<>();
  private final Map<String, Set<String>> classesOfClaims = new HashMap<>();
  private final Set<String> runtimesThatFill = new HashSet<>();
  private final Set<String> immediate = new HashSet<>();
  private final Set<String> limitedDrivers = new HashSet<>();
  private final Set<String> namespacesOfPods = new TreeSet<>();
  private final Set<String> budgetsWithoutStatus = new TreeSet<>();
  private final Set<String> hostPortsNotTold = new HashSet<>();
  private final Map<String, Long> priorities = new HashMap<>();
  private boolean defaultClass;
  private String defaultPriority = "";
  private boolean watchesNamespaces;
  private boolean usesClaims;
  private boolean withoutRequests;
  private boolean withoutPriority;

  void take(Fields object) {
    Fields meta = object.child("metadata");
    String kind = object.string("kind");
    String name = meta.string("name");
    String key = meta.string("namespace", "default") + "/" + name;
    Fields spec = object.child("spec");
    switch (kind) {
      case "Node" -> {
        nodes.take(object, name);
        object.child("status").child("allocatable").names().forEach(extendedResources::add);
        object.child("status").child("capacity").names().forEach(extendedResources::add);
      }
      case "Pod" -> pod(object, spec);
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
        if (!object.string("volumeBindingMode").equals("WaitForFirstConsumer")) {
          immediate.add(name);
        }
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
      case "CSINode" -> {
        for (Fields driver : spec.children("drivers")) {
          if (driver.child("allocatable").has("count")) {
            limitedDrivers.add(driver.string("name"));
          }
        }
      }
      case "RuntimeClass" -> {
        if (object.has("overhead") || object.has("scheduling")) {
          runtimesThatFill.add(name);
        }
      }
      case "ResourceClaim" ->
          classesOfClaims.put(
              key, object.child("status").has("allocation") ? Set.of() : classes(spec));
      case "PodDisruptionBudget" -> {
        if (!object.has("status")) {
          budgetsWithoutStatus.add(key);
        }
      }
      case "DeviceClass" -> extendedResources.add(spec.string("extendedResourceName"));
      case "PriorityClass" -> {
        priorities.put(name, object.integer("value", 0));
        defaultPriority = object.bool("globalDefault", false) ? name : defaultPriority;
      }
      default -> {}
    }
    String full = isGlobal(kind) ? name : key;
    names.computeIfAbsent(kind, any -> new HashSet<>()).add(full);
    boolean counts = kind.equals("Node") || kind.equals("Pod");
    if (counts && !(kind.equals("Node") ? nodesOfFile : podsOfFile).add(full)) {
      repeated.add(kind + " " + full);
    }
  }

  /** Another file may have the same objects in another state: what if they were so? */
  void nextFile() {
    nodesOfFile.clear();
    podsOfFile.clear();
  }

  /** Nodes and pods that one file had more than once; the last one of each counts. */
  Set<String> repeated() {
    return repeated;
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

  private static Set<String> classes(Fields claim) {
    Set<String> classes = new TreeSet<>();
    for (Fields request : claim.child("devices").children("requests")) {
      classes.add(request.string("deviceClassName"));
      classes.add(request.child("exactly").string("deviceClassName"));
      request.children("firstAvailable").forEach(one -> classes.add(one.string("deviceClassName")));
    }
    classes.remove("");
    return classes;
  }

  /** A pod on a node counts unless it has ended. */
  private void pod(Fields object, Fields spec) {
    String node = spec.string("nodeName");
    String phase = object.child("status").string("phase");
    if (phase.equals("Succeeded") || phase.equals("Failed")) {
      return;
    }
    namespacesOfPods.add(object.child("metadata").string("namespace", "default"));
    if (node.isEmpty()) {
      return;
    }
    nodes.takeOfPod(node);
    usesClaims |= spec.children("volumes").stream().anyMatch(v -> v.has("persistentVolumeClaim"));
    withoutRequests |= PodNeeds.lacksAnyRequest(spec);
    withoutPriority |= !spec.string("priorityClassName").isEmpty() && !spec.has("priority");
    PodNeeds.portsOfHost(spec).forEach(hostPortsNotTold::add);
    for (Fields term :
        spec.child("affinity")
            .child("podAntiAffinity")
            .children("requiredDuringSchedulingIgnoredDuringExecution")) {
      watchesNamespaces |= term.child("namespaceSelector").names().iterator().hasNext();
    }
  }

  /** Takes a list of one kind: what is not in it does not exist. */
  void takeList(String kind) {
    if (kind.endsWith("List") && kind.length() > 4) {
      listed.add(kind.substring(0, kind.length() - 4));
    }
  }

  /**
   * Whether it is there, or is known not to exist. Many provisioners have no CSIDriver, so that one
   * of others tells that there is none.
   */
  boolean has(String kind, String name) {
    return listed.contains(kind) && isGlobal(kind)
        || kind.equals("CSIDriver") && hasAny(kind)
        || names.getOrDefault(kind, Set.of()).contains(name);
  }

  /** Whether there is one, or none is known to exist. */
  boolean hasAny(String kind) {
    return listed.contains(kind) || !names.getOrDefault(kind, Set.of()).isEmpty();
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

  GivenNodes nodes() {
    return nodes;
  }

  /** What is assumed whatever the pod. */
  List<Assumption> ofAll() {
    List<Assumption> ofAll = nodes.ofAll(listed.contains("Node"));
    if (withoutRequests) {
      ofAll.add(
          Assumption.field(
              "resources.requests of pods on nodes",
              "the pods that have limits without requests use nothing of those resources",
              "Pod"));
    }
    return ofAll;
  }

  /** What is assumed where pods have to go for others. */
  List<Assumption> ofVictims() {
    List<Assumption> assumed = new ArrayList<>();
    if (!hasAny("PodDisruptionBudget")) {
      assumed.add(
          Assumption.of("PodDisruptionBudget", "", "no PodDisruptionBudget protects the victims"));
    }
    if (!budgetsWithoutStatus.isEmpty()) {
      assumed.add(
          Assumption.field(
              "status.disruptionsAllowed of PodDisruptionBudget "
                  + Assumptions.some(budgetsWithoutStatus),
              "the budget allows no disruption",
              "PodDisruptionBudget"));
    }
    if (withoutPriority) {
      assumed.add(
          Assumption.field(
              "spec.priority of pods on nodes",
              "the pods that have a priority class without a priority have priority 0",
              "Pod"));
    }
    return assumed;
  }

  /** Whether the class changes the pods that name it. */
  boolean fills(String runtimeClass) {
    return runtimesThatFill.contains(runtimeClass);
  }

  boolean bindsAtOnce(String storageClass) {
    return immediate.contains(storageClass);
  }

  /** Whether a limit of the driver counts volumes that no pod uses any more. */
  boolean countsAttachments(String driver) {
    return usesClaims && limitedDrivers.contains(driver);
  }

  /** Classes of the devices that a claim still has to get. */
  Set<String> classesOf(String claim) {
    return classesOfClaims.getOrDefault(claim, Set.of());
  }

  Set<String> nodesWithoutCsi() {
    return listed.contains("CSINode")
        ? Set.of()
        : nodes.without(names.getOrDefault("CSINode", Set.of()));
  }

  Set<String> namespacesNotGiven() {
    Set<String> missing = new TreeSet<>(namespacesOfPods);
    missing.removeIf(name -> has("Namespace", name));
    return missing;
  }
}
