// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.queue.PrioritySort;
import java.util.Comparator;
import java.util.function.Predicate;

/**
 * The order in which pods are decided about. From 1.37 on, a group has its own priority, and its
 * pods have their turns by age, then by name. Source: pkg/scheduler/framework/types.go,
 * PodGroupMemberPodsOrderingFunc.
 */
final class GroupOrder implements Comparator<PlacedPod> {
  /** The order of the pods of one group. */
  static final Comparator<PlacedPod> OF_MEMBERS =
      new PrioritySort().thenComparing(pod -> pod.pod().name());

  private final Cluster cluster;
  private final Predicate<PlacedPod> isOfWorkload;

  /**
   * Of a cluster's pods.
   *
   * @param isOfWorkload whether a pod is decided about with a group that is there, as from 1.37 on
   */
  GroupOrder(Cluster cluster, Predicate<PlacedPod> isOfWorkload) {
    this.cluster = cluster;
    this.isOfWorkload = isOfWorkload;
  }

  @Override
  public int compare(PlacedPod one, PlacedPod other) {
    int order = Integer.compare(priority(other), priority(one));
    return order != 0 ? order : Long.compare(one.pod().createdNs(), other.pod().createdNs());
  }

  private int priority(PlacedPod pod) {
    return isOfWorkload.test(pod)
        ? cluster.groups().of(pod.pod()).priority()
        : pod.spec().priority();
  }
}
