// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.plugin.Filter;
import io.exaplane.scheduler.engine.plugin.Status;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks filters about a node, once with the pods that wait for it and are as important, once without
 * them: both have to pass. Source: pkg/scheduler/framework/runtime/framework.go,
 * RunFilterPluginsWithNominatedPods.
 */
public final class NodeTest {
  private final Cluster cluster;
  private final List<PlacedPod> guests = new ArrayList<>();
  private Filter[] filters;
  private int filterCount;
  private int refusedBy;
  private long verdict;

  NodeTest(Cluster cluster) {
    this.cluster = cluster;
  }

  void use(Filter[] active, int count) {
    filters = active;
    filterCount = count;
  }

  /** Whether the node does for the pod, which is on no node. */
  public boolean passes(PlacedPod pod, int node) {
    return passes(pod, pod.spec().priority(), node);
  }

  /** Whether it does for pods of this priority that wait for no node. */
  boolean passes(int priority, int node) {
    return passes(null, priority, node);
  }

  private boolean passes(PlacedPod pod, int priority, int node) {
    if (cluster.hasNominations() && !passesWithNominated(pod, priority, node)) {
      return false;
    }
    return asks(node);
  }

  /** Whether pods wait for the node that are as important. */
  boolean hasGuests(int priority, int node) {
    if (cluster.hasNominations()) {
      for (PlacedPod other : cluster.nominated(node)) {
        if (other.spec().priority() >= priority) {
          return true;
        }
      }
    }
    return false;
  }

  /** The place of the filter that refused the node that was asked last. */
  int refusedBy() {
    return refusedBy;
  }

  /** Why the node that was asked last was refused. */
  public Status refusal() {
    return filters[refusedBy].explain(verdict);
  }

  long verdict() {
    return verdict;
  }

  /** Puts a pod back onto its node for the time of a thought. */
  public void add(PlacedPod pod, int node) {
    cluster.place(pod, node);
    for (int i = 0; i < filterCount; i++) {
      filters[i].added(pod.spec(), node);
    }
  }

  /** Takes a pod from its node for the time of a thought. */
  public void remove(PlacedPod pod) {
    int node = pod.node();
    cluster.unplace(pod);
    for (int i = 0; i < filterCount; i++) {
      filters[i].removed(pod.spec(), node);
    }
  }

  private boolean passesWithNominated(PlacedPod pod, int priority, int node) {
    guests.clear();
    for (PlacedPod other : cluster.nominated(node)) {
      if (other != pod && other.spec().priority() >= priority) {
        guests.add(other);
      }
    }
    if (guests.isEmpty()) {
      return true;
    }
    for (PlacedPod guest : guests) {
      cluster.place(guest, node);
      for (int i = 0; i < filterCount; i++) {
        filters[i].hosted(guest.spec(), node);
      }
    }
    try {
      return asks(node);
    } finally {
      for (PlacedPod guest : guests) {
        cluster.unplace(guest);
        for (int i = 0; i < filterCount; i++) {
          filters[i].unhosted(guest.spec(), node);
        }
      }
    }
  }

  private boolean asks(int node) {
    for (int i = 0; i < filterCount; i++) {
      verdict = filters[i].test(node);
      if (verdict != Filter.PASSES) {
        refusedBy = i;
        return false;
      }
    }
    return true;
  }
}
