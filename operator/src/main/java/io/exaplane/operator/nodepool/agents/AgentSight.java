// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.api.v1alpha1.NodeAgentRef;
import java.util.List;
import java.util.Map;

/**
 * An agent as it is now. Immutable.
 *
 * @param uid of the DaemonSet; "" if there is none
 * @param revision of its template
 * @param minReadySeconds of its spec
 * @param findings of {@code exactl lists}; "" without any
 * @param account its pods' ServiceAccount; "" if that is not known, or is the account default
 * @param pods by their nodes
 */
record AgentSight(
    NodeAgentRef ref,
    State state,
    String uid,
    String revision,
    int minReadySeconds,
    String findings,
    String account,
    Map<String, List<AgentPod>> pods) {
  /** What is known. */
  enum State {
    /** The DaemonSet does not exist, or is being deleted. */
    MISSING,
    /** The operator has not set OnDelete yet. */
    NOT_HELD,
    /** kube-controller-manager has not seen the newest template yet, or pods are not listed. */
    WAITING,
    /** All is known. */
    KNOWN
  }

  static AgentSight of(NodeAgentRef ref, State state) {
    return new AgentSight(ref, state, "", "", 0, "", "", Map.of());
  }

  List<AgentPod> on(String node) {
    return pods.getOrDefault(node, List.of());
  }

  boolean isKnown() {
    return state == State.KNOWN;
  }

  /** Whether it is known what its pods are. */
  boolean isSeen() {
    return isKnown() || state == State.MISSING;
  }

  boolean isCurrent(AgentPod pod) {
    return pod.revision().equals(revision);
  }
}
