// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

/**
 * Pods that are decided about together (scheduling.k8s.io/v1alpha2 in 1.36, v1beta1 in 1.37).
 *
 * @param uid empty if it is not known
 * @param minCount how many of them have to find nodes for any to be bound; 0 if each stands for
 *     itself
 * @param priority of the group, from 1.37 on
 * @param disruptedTogether whether none of its pods may be evicted without the others, from 1.37 on
 * @param unsupported the field of another feature gate that the group uses, and the gate; null if
 *     there is none
 */
public record PodGroup(
    String namespace,
    String name,
    String uid,
    int minCount,
    int priority,
    boolean disruptedTogether,
    String unsupported) {
  /** Namespace and name. */
  public String key() {
    return namespace + "/" + name;
  }
}
