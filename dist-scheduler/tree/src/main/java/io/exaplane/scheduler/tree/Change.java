// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Workload;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import java.util.Map;
import java.util.Set;

/**
 * A change of what a shard knows. Nodes have the root's numbers, classes of pods numbers that the
 * root gives them; both mean the same until the node, or class, is gone.
 */
public sealed interface Change {
  /** A node of the shard is new, without pods, or another one now, with the pods that it had. */
  record NodePut(int number, Node node) implements Change {}

  /** A node is gone, or another shard's; its pods were taken off before. */
  record NodeGone(int number) implements Change {}

  /** What pods of a class are like; it is told before the class is named. */
  record ClassPut(int number, PodSpec pods) implements Change {}

  /** No more is said of a class. */
  record ClassGone(int number) implements Change {}

  /** There are more pods of a class on a node, or less. */
  record Count(int node, int podClass, int more) implements Change {}

  /** A pod, by namespace and name, waits for a node. */
  record Waits(String pod, String node, int podClass) implements Change {}

  /** A pod waits for a node no more. */
  record WaitsNoMore(String pod) implements Change {}

  /** Pods anywhere want to be near to or far from others. */
  record Wish(PodSpec.Neighbours wish) implements Change {}

  /** No pods want that any more. */
  record WishGone(PodSpec.Neighbours wish) implements Change {}

  /** A namespace has these labels; null if it is gone. */
  record Namespace(String name, Labels labels) implements Change {}

  /** A Service or controller. */
  record WorkloadPut(Workload workload) implements Change {}

  /** A Service or controller is gone. */
  record WorkloadGone(String kind, String namespace, String name) implements Change {}

  /** A kind of devices. */
  record DeviceClassPut(DeviceClass deviceClass) implements Change {}

  /** A kind of devices is gone. */
  record DeviceClassGone(String name) implements Change {}

  /**
   * What there is on all nodes together, the shard's own included.
   *
   * @param nodes how many there are
   * @param imageNodes by image that a class names of which pods wait, how many nodes have it
   * @param unshared the topology keys of which no two nodes have the same value
   */
  record Totals(int nodes, Map<String, Integer> imageNodes, Set<String> unshared)
      implements Change {}
}
