// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.model.Fields;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the files have of nodes, in so far as kubelets and API servers would have written more. One
 * thread.
 */
final class GivenNodes {
  /** Labels that each kubelet gives its node. */
  static final Set<String> LABELS =
      Set.of("kubernetes.io/hostname", "kubernetes.io/os", "kubernetes.io/arch");

  /** Quantities that each kubelet tells of its node. */
  private static final Set<String> RESOURCES = Set.of("cpu", "memory", "ephemeral-storage", "pods");

  /** Nodes of these types have no kubelet. */
  private static final Set<String> VIRTUAL = Set.of("virtual-kubelet", "kwok");

  private final Set<String> all = new TreeSet<>();
  private final Set<String> withCapacityAlone = new TreeSet<>();
  private final Set<String> withoutAllocatable = new TreeSet<>();
  private final Map<String, Set<String>> withoutResource = new TreeMap<>();
  private final Map<String, Set<String>> withoutLabel = new TreeMap<>();
  private final Set<String> withKubelet = new TreeSet<>();
  private final Set<String> exported = new HashSet<>();
  private final Set<String> ofPods = new TreeSet<>();

  /** Takes a node as a file has it. */
  void take(Fields node, String name) {
    all.add(name);
    Fields meta = node.child("metadata");
    Fields status = node.child("status");
    Fields labels = meta.child("labels");
    Fields allocatable = status.child("allocatable");
    if (!allocatable.names().iterator().hasNext()) {
      boolean capacity = status.child("capacity").names().iterator().hasNext();
      (capacity ? withCapacityAlone : withoutAllocatable).add(name);
    } else {
      RESOURCES.stream()
          .filter(resource -> !allocatable.has(resource))
          .forEach(r -> withoutResource.computeIfAbsent(r, any -> new TreeSet<>()).add(name));
    }
    LABELS.stream()
        .filter(label -> !labels.has(label))
        .forEach(l -> withoutLabel.computeIfAbsent(l, any -> new TreeSet<>()).add(name));
    if (!VIRTUAL.contains(labels.string("type"))) {
      withKubelet.add(name);
    }
    if (meta.has("uid") && status.child("nodeInfo").has("kubeletVersion")) {
      exported.add(name);
    }
  }

  /** Takes the node of a pod that runs. */
  void takeOfPod(String node) {
    ofPods.add(node);
  }

  /** What is assumed whatever the pod. */
  List<Assumption> ofAll(boolean listed) {
    List<Assumption> assumed = new ArrayList<>();
    if (all.isEmpty() && !listed) {
      assumed.add(Assumption.of("Node", "", "the cluster has no nodes"));
    }
    add(withoutAllocatable, "a node without status.allocatable has room for nothing", assumed);
    add(
        withCapacityAlone,
        "status.allocatable equals status.capacity, as an API server fills in; nothing is reserved",
        assumed);
    Set<String> missing = new TreeSet<>(ofPods);
    missing.removeAll(all);
    add(missing, "the node runs its pods, and takes no other pod", assumed);
    if (!exported.isEmpty() && ofPods.isEmpty()) {
      assumed.add(Assumption.of("Pod", "on the nodes", "the nodes run no pods"));
    }
    return assumed;
  }

  private static void add(Set<String> nodes, String taken, List<Assumption> to) {
    if (!nodes.isEmpty()) {
      to.add(Assumption.of("Node", Assumptions.some(nodes), taken));
    }
  }

  /** What is assumed of nodes that do not tell a resource which a pod asks for. */
  List<Assumption> ofResources(Set<String> requested) {
    List<Assumption> assumed = new ArrayList<>();
    withoutResource.forEach(
        (resource, nodes) -> {
          if (requested.contains(resource)) {
            assumed.add(
                Assumption.field(
                    "status.allocatable." + resource + " of Node " + Assumptions.some(nodes),
                    "the nodes have no room for " + resource,
                    "Node"));
          }
        });
    return assumed;
  }

  /** The same of labels. */
  List<Assumption> ofLabels(Set<String> selected) {
    List<Assumption> assumed = new ArrayList<>();
    withoutLabel.forEach(
        (label, nodes) -> {
          if (selected.contains(label)) {
            assumed.add(
                Assumption.field(
                    "label " + label + " of Node " + Assumptions.some(nodes),
                    "the nodes do not have the label, although a kubelet sets it",
                    "Node"));
          }
        });
    return assumed;
  }

  /** Nodes with a kubelet that are not among these. */
  Set<String> without(Set<String> named) {
    Set<String> without = new TreeSet<>(withKubelet);
    without.removeAll(named);
    return without;
  }
}
