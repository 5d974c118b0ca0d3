// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

/**
 * One pod.
 *
 * @param uid of a pod that was read while it was on no node; its key if nobody gave it one
 * @param nodeName where it runs, or empty
 * @param nominatedNode the node that it waits for, or empty
 * @param finished whether it has ended: it takes nothing any more
 * @param createdNs nanoseconds since 1970, or {@link Fields#NO_TIME}
 * @param startedNs likewise; when the kubelet took it
 * @param preempted whether it is being deleted in favour of a pod of higher priority
 * @param group the name of the group, in its namespace, with which it is decided about, or empty
 */
public record Pod(
    String name,
    PodSpec spec,
    String uid,
    String nodeName,
    String nominatedNode,
    boolean finished,
    long createdNs,
    long startedNs,
    boolean preempted,
    String group) {
  /** Namespace and name. */
  public String key() {
    return spec.namespace() + "/" + name;
  }

  /** Namespace and name of its group; says nothing if it has none. */
  public String groupKey() {
    return spec.namespace() + "/" + group;
  }

  public Pod on(String node) {
    return new Pod(name, spec, uid, node, "", finished, createdNs, startedNs, preempted, group);
  }

  public Pod nominatedTo(String node) {
    return new Pod(
        name, spec, uid, nodeName, node, finished, createdNs, startedNs, preempted, group);
  }
}
