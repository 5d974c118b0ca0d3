// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.event.Change;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.NodeSelector;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.Taint;
import io.exaplane.scheduler.engine.model.Toleration;

/** What pods that nodes did not suit hope from nodes. */
final class NodeHints {
  private static final Taint UNSCHEDULABLE =
      new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);

  private NodeHints() {}

  /** NodeUnschedulable: a node that takes pods, new or again. */
  static boolean takesPods(Pod pod, Change change) {
    Node before = change.before(Node.class);
    return !change.after(Node.class).unschedulable() && (before == null || before.unschedulable());
  }

  /** NodeUnschedulable: the pod does not mind any more. */
  static boolean toleratesCordon(Pod pod, Change change) {
    return Toleration.anyTolerates(change.after(Pod.class).spec().tolerations(), UNSCHEDULABLE);
  }

  /** TaintToleration: no taint that keeps the pod away, which was not so before. */
  static boolean untainted(Pod pod, Change change) {
    Node before = change.before(Node.class);
    return (before == null || !tolerates(pod, before)) && tolerates(pod, change.after(Node.class));
  }

  private static boolean tolerates(Pod pod, Node node) {
    return Toleration.allTolerated(pod.spec().tolerations(), node.taints());
  }

  /**
   * NodeAffinity: a node that matches now.
   *
   * @param added what the profile asks of nodes besides, or null
   */
  static boolean matches(Pod pod, NodeSelector added, Change change) {
    Node before = change.before(Node.class);
    Node after = change.after(Node.class);
    if (added != null && !added.matches(after.name(), after.labels())) {
      return false;
    }
    return wants(pod, after) && (before == null || !wants(pod, before));
  }

  private static boolean wants(Pod pod, Node node) {
    return pod.spec().affinity().allows(node.name(), node.labels());
  }

  /** NodeDeclaredFeatures: a node that declares other features than before. */
  static boolean declaresOthers(Pod pod, Change change) {
    Node before = change.before(Node.class);
    return before == null || !before.features().equals(change.after(Node.class).features());
  }

  /** NodeDeclaredFeatures: the pod needs others than before. */
  static boolean needsOthers(Pod pod, Change change) {
    return !change
        .before(Pod.class)
        .spec()
        .features()
        .equals(change.after(Pod.class).spec().features());
  }
}
