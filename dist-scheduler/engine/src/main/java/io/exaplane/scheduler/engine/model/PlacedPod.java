// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

/**
 * A pod that the cluster knows, linked with the others on its node. Belongs to one {@link Cluster}
 * and its thread.
 */
public final class PlacedPod {
  /** The node of a pod that is on none. */
  public static final int NOWHERE = -1;

  Pod pod;
  final PodClass podClass;
  int node = NOWHERE;
  long arrival;
  PlacedPod next;
  PlacedPod previous;

  PlacedPod(Pod pod, PodClass podClass) {
    this.pod = pod;
    this.podClass = podClass;
  }

  public Pod pod() {
    return pod;
  }

  public PodClass podClass() {
    return podClass;
  }

  public PodSpec spec() {
    return podClass.spec();
  }

  /** The number of its node, or {@link #NOWHERE}. */
  public int node() {
    return node;
  }

  /** Counts up with each pod that is put onto a node for good. */
  public long arrival() {
    return arrival;
  }

  public PlacedPod next() {
    return next;
  }
}
