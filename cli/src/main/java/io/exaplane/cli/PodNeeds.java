// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.model.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the verdict on a pending pod depends on beside nodes and pods: the objects that it refers
 * to, and the fields that an API server would have filled in. Each answers whether the files have
 * it.
 */
final class PodNeeds {
  private static final Set<String> WORKLOADS =
      Set.of("ReplicaSet", "StatefulSet", "ReplicationController");
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private final GivenObjects given;
  private final String namespace;
  private final Fields pod;
  private final Fields spec;
  private final List<Assumption> found = new ArrayList<>();

  private PodNeeds(Fields pod, GivenObjects given) {
    this.given = given;
    this.pod = pod;
    this.spec = pod.child("spec");
    this.namespace = pod.child("metadata").string("namespace", "default");
  }

  /** What is assumed of a pod, in a fixed order. */
  static List<Assumption> of(Fields pod, GivenObjects given) {
    PodNeeds needs = new PodNeeds(pod, given);
    needs.filledIn();
    needs.nodes();
    needs.found.addAll(StorageNeeds.of(pod, given));
    needs.devices();
    needs.neighbours();
    needs.owners();
    return needs.found;
  }

  private void missing(String kind, String name, String taken) {
    found.add(Assumption.of(kind, name, taken));
  }

  private void filledIn() {
    if (lacksAnyRequest(spec)) {
      found.add(
          Assumption.filledIn(
                  "resources.requests",
                  "the pod has limits without requests, and requests nothing of those resources")
              .toldApart());
    }
    priority();
    String runtime = spec.string("runtimeClassName");
    boolean known = given.has("RuntimeClass", runtime) && !given.fills(runtime);
    if (!runtime.isEmpty() && !spec.has("overhead") && !known) {
      missing(
          "RuntimeClass",
          runtime,
          given.has("RuntimeClass", runtime)
              ? "the pod has no overhead and no scheduling of the class, since they were not"
                  + " written into the pod"
              : "the class has no overhead, no nodeSelector and no tolerations");
    }
    if (!portsOfHost(spec).isEmpty()) {
      found.add(
          Assumption.filledIn(
              "ports.hostPort",
              "the pod has hostNetwork without hostPort, and its ports conflict with no other"
                  + " pod"));
    }
    for (String port : hostPorts(spec)) {
      if (given.isTakenOnHosts(port)) {
        missing(
            "Pod",
            "with hostNetwork",
            "pods on nodes that list port " + port + " without hostPort do not use that port");
      }
    }
    for (String key : keysNotMerged()) {
      found.add(
          Assumption.filledIn(
              "matchLabelKeys",
              "label " + key + " is not in the labelSelector, and does not narrow the selection"));
    }
  }

  private void priority() {
    String name = spec.string("priorityClassName");
    if (spec.has("priority")) {
      return;
    }
    if (!name.isEmpty()) {
      String value =
          given.priority(name) == null ? "" : ", not " + given.priority(name) + " as in the class";
      found.add(
          Assumption.of(
                  "PriorityClass", name, "the pod has no spec.priority, which counts as 0" + value)
              .toldApart());
    } else if (!given.defaultPriority().isEmpty()) {
      missing(
          "PriorityClass",
          given.defaultPriority(),
          "the pod has priority 0, since the global default was not written into the pod");
    }
  }

  /** Whether a container or the pod has a limit without a request. */
  static boolean lacksAnyRequest(Fields spec) {
    if (lacksRequests(spec)) {
      return true;
    }
    for (String list : List.of("containers", "initContainers")) {
      for (Fields container : spec.children(list)) {
        if (lacksRequests(container)) {
          return true;
        }
      }
    }
    return false;
  }

  /** An API server asks for what is limited, resource by resource. */
  private static boolean lacksRequests(Fields parent) {
    Fields requests = parent.child("resources").child("requests");
    for (String resource : parent.child("resources").child("limits").names()) {
      if (!requests.has(resource)) {
        return true;
      }
    }
    return false;
  }

  /** Ports of a pod in its host's network for which no hostPort was filled in. */
  static List<String> portsOfHost(Fields spec) {
    List<String> ports = new ArrayList<>();
    if (spec.bool("hostNetwork", false)) {
      for (Fields container : spec.children("containers")) {
        for (Fields port : container.children("ports")) {
          if (port.integer("hostPort", 0) == 0) {
            ports.add(port.string("protocol", "TCP") + " " + port.integer("containerPort", 0));
          }
        }
      }
    }
    return ports;
  }

  private static List<String> hostPorts(Fields spec) {
    List<String> ports = new ArrayList<>(portsOfHost(spec));
    for (Fields container : spec.children("containers")) {
      for (Fields port : container.children("ports")) {
        if (port.integer("hostPort", 0) != 0) {
          ports.add(port.string("protocol", "TCP") + " " + port.integer("hostPort", 0));
        }
      }
    }
    return ports;
  }

  /** Only the API server reads the keys of affinity, and writes what they mean. */
  private Set<String> keysNotMerged() {
    Set<String> keys = new TreeSet<>();
    for (Fields term : terms()) {
      for (String list : List.of("matchLabelKeys", "mismatchLabelKeys")) {
        for (String key : term.strings(list)) {
          boolean there = pod.child("metadata").child("labels").has(key);
          boolean merged =
              term.child("labelSelector").children("matchExpressions").stream()
                  .anyMatch(one -> one.string("key").equals(key));
          if (there && !merged) {
            keys.add(key);
          }
        }
      }
    }
    return keys;
  }

  private List<Fields> terms() {
    List<Fields> terms = new ArrayList<>();
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      Fields affinity = spec.child("affinity").child(kind);
      terms.addAll(affinity.children(REQUIRED));
      affinity.children(PREFERRED).forEach(one -> terms.add(one.child("podAffinityTerm")));
    }
    return terms;
  }

  /** What a kubelet tells of each node, and a hand-written node often lacks. */
  private void nodes() {
    Set<String> requested = new TreeSet<>(Set.of("pods"));
    spec.child("resources").child("requests").names().forEach(requested::add);
    for (String list : List.of("containers", "initContainers")) {
      for (Fields container : spec.children(list)) {
        container.child("resources").child("requests").names().forEach(requested::add);
      }
    }
    found.addAll(given.nodes().ofResources(requested));
    Set<String> labels = new TreeSet<>();
    spec.child("nodeSelector").names().forEach(labels::add);
    terms().forEach(term -> labels.add(term.string("topologyKey")));
    spec.children("topologySpreadConstraints").forEach(c -> labels.add(c.string("topologyKey")));
    Fields affinity = spec.child("affinity").child("nodeAffinity");
    List<Fields> wanted = new ArrayList<>(affinity.child(REQUIRED).children("nodeSelectorTerms"));
    affinity.children(PREFERRED).forEach(one -> wanted.add(one.child("preference")));
    for (Fields term : wanted) {
      term.children("matchExpressions").forEach(one -> labels.add(one.string("key")));
    }
    found.addAll(given.nodes().ofLabels(labels));
  }

  private void devices() {
    for (Fields claim : spec.children("resourceClaims")) {
      String key = namespace + "/" + claimName(claim);
      if (isNotNeeded(claim)) {
        continue;
      }
      if (!given.has("ResourceClaim", key)) {
        missing("ResourceClaim", key, "the object does not exist yet");
      } else {
        deviceObjects(given.classesOf(key));
      }
    }
    for (Fields container : spec.children("containers")) {
      for (String resource : container.child("resources").child("requests").names()) {
        if (resource.contains("/")
            && !resource.startsWith("kubernetes.io/")
            && !given.isSomewhere(resource)) {
          missing(
              "DeviceClass",
              "of " + resource,
              "no device backs the resource, and no node offers it");
        }
      }
    }
    String group = spec.child("schedulingGroup").string("podGroupName");
    if (!group.isEmpty() && !given.has("PodGroup", namespace + "/" + group)) {
      missing("PodGroup", namespace + "/" + group, "the object does not exist yet");
    }
  }

  private String claimName(Fields claim) {
    String name = claim.string("name");
    String made =
        claim.has("resourceClaimTemplateName")
            ? pod.child("status").children("resourceClaimStatuses").stream()
                .filter(one -> one.string("name").equals(name))
                .map(one -> one.string("resourceClaimName"))
                .findFirst()
                .orElse("")
            : claim.string("resourceClaimName");
    return made.isEmpty() ? name : made;
  }

  /** Its controller said so by a status without a claim. */
  private boolean isNotNeeded(Fields claim) {
    return claim.has("resourceClaimTemplateName")
        && pod.child("status").children("resourceClaimStatuses").stream()
            .anyMatch(
                one ->
                    one.string("name").equals(claim.string("name"))
                        && !one.has("resourceClaimName"));
  }

  private void deviceObjects(Set<String> classes) {
    for (String one : classes) {
      if (!given.has("DeviceClass", one)) {
        missing("DeviceClass", one, "the class does not exist");
      }
    }
    if (!classes.isEmpty() && !given.hasAny("ResourceSlice")) {
      missing("ResourceSlice", "", "no object of this kind exists");
    }
  }

  private void neighbours() {
    boolean selects =
        terms().stream()
            .anyMatch(term -> term.child("namespaceSelector").names().iterator().hasNext());
    if (selects && !given.hasAny("Namespace")) {
      missing("Namespace", "", "no namespace has the labels that the pod's affinity selects");
    } else if (selects && !given.namespacesNotGiven().isEmpty()) {
      missing(
          "Namespace",
          Assumptions.some(given.namespacesNotGiven()),
          "the namespace has no labels that the pod's affinity selects");
    } else if (given.keepsByNamespaces() && !given.has("Namespace", namespace)) {
      missing(
          "Namespace",
          namespace,
          "the namespace has no labels that the anti-affinity of pods on nodes selects");
    }
  }

  /** What has no constraints of its own is spread with the pods of its service and its owner. */
  private void owners() {
    if (!spec.children("topologySpreadConstraints").isEmpty()) {
      return;
    }
    for (Fields owner : pod.child("metadata").children("ownerReferences")) {
      String key = namespace + "/" + owner.string("name");
      if (WORKLOADS.contains(owner.string("kind")) && !given.has(owner.string("kind"), key)) {
        missing(
            owner.string("kind"), key, "the nodes of the owner's other pods do not change scores");
      }
    }
    boolean labelled = pod.child("metadata").child("labels").names().iterator().hasNext();
    if (labelled && !given.hasAny("Service")) {
      missing("Service", "", "the nodes of a Service's other pods do not change scores");
    }
  }
}
