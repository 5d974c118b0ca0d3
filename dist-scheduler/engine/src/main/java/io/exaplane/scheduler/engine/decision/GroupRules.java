// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodGroup;
import java.util.List;
import java.util.function.Predicate;

/**
 * What the pods of a group must have in common. For the cluster's thread. Source:
 * pkg/scheduler/schedule_one_podgroup.go, validatePodGroup, and 1.36's frameworkForPodGroup.
 */
final class GroupRules {
  /** Why a pod has no turn: no more than that is known of it. */
  static final String OTHERS_ARE_GATED =
      "the pod waits for its turn until nothing keeps another pod of its PodGroup from it";

  private static final String SCHEDULERS =
      "all pods in a single pod group should have the same .spec.schedulerName set, got: \"%s\" and"
          + " \"%s\"";
  private static final String PRIORITIES =
      "all pods in a single pod group should have the same priority as the pod group's priority,"
          + " got %d and %d";
  private static final String POLICIES =
      "all pods in a single pod group should have the same preemption policy, got %s and %s";

  private final Cluster cluster;

  GroupRules(Cluster cluster) {
    this.cluster = cluster;
  }

  /** The first rule of 1.37 that the group breaks, or null. */
  String broken(List<PlacedPod> waiting) {
    PlacedPod first = waiting.getFirst();
    PodGroup group = cluster.groups().of(first.pod());
    if (group == null) {
      return "podgroup.scheduling.k8s.io \"%s\" not found".formatted(first.pod().group());
    }
    if (group.unsupported() != null) {
      return "not supported: "
          + group.unsupported()
          + "; remove the field, or let kube-scheduler schedule these pods";
    }
    for (PlacedPod pod : waiting) {
      String why = broken(pod, first, group);
      if (why != null) {
        return why;
      }
    }
    for (PlacedPod pod : cluster.groups().onNodes(first.pod())) {
      String why = broken(pod, first, group);
      if (why != null) {
        return why;
      }
    }
    return null;
  }

  private static String broken(PlacedPod pod, PlacedPod first, PodGroup group) {
    if (!pod.spec().schedulerName().equals(first.spec().schedulerName())) {
      return SCHEDULERS.formatted(pod.spec().schedulerName(), first.spec().schedulerName());
    }
    if (pod.spec().priority() != group.priority()) {
      return PRIORITIES.formatted(pod.spec().priority(), group.priority());
    }
    return pod.spec().preempts() == first.spec().preempts()
        ? null
        : POLICIES.formatted(policy(pod), policy(first));
  }

  private static String policy(PlacedPod pod) {
    return pod.spec().preempts() ? "PreemptLowerPriority" : "Never";
  }

  /** That a pod is of another scheduler, as 1.36 says it, or null. */
  static String differentSchedulers(List<PlacedPod> pods, Predicate<PlacedPod> isOther) {
    String first = pods.getFirst().spec().schedulerName();
    return pods.stream()
        .filter(isOther)
        .findFirst()
        .map(pod -> SCHEDULERS.formatted(first, pod.spec().schedulerName()))
        .orElse(null);
  }
}
