// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import io.exaplane.scheduler.engine.model.device.DeviceClass;

/**
 * Hears of changes to a {@link Cluster} for good, after they happened, as far as they decide about
 * pods without volumes and claims; thoughts are not told. On its cluster's thread, and not to
 * change anything.
 */
public interface ClusterFollower {
  /** A node is new, or another one now; a new one has no pods until they are told. */
  default void nodePut(int id, Node node) {}

  /** A node goes, after its pods; another may get its number. */
  default void nodeGone(int id) {}

  /** There is one more pod of a class on a node. */
  default void podCame(int node, PodClass pods) {}

  /** There is one less. */
  default void podWent(int node, PodClass pods) {}

  /** A pod waits for a node. */
  default void waits(Pod pod) {}

  /** A pod waits for a node no more. */
  default void waitsNoMore(Pod pod) {}

  /** Pods want to be near to or far from others. */
  default void wish(PodSpec.Neighbours wish) {}

  /** No pods want that any more. */
  default void wishGone(PodSpec.Neighbours wish) {}

  /** A namespace has these labels; null if it is gone. */
  default void namespace(String name, Labels labels) {}

  default void workloadPut(Workload workload) {}

  default void workloadGone(String kind, String namespace, String name) {}

  default void deviceClassPut(DeviceClass deviceClass) {}

  default void deviceClassGone(String name) {}

  /** Nobody. */
  ClusterFollower NONE = new ClusterFollower() {};
}
