// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Conditions of a NodePool. True is good but for Reconciling and Stalled. */
public enum NodePoolCondition {
  /** The spec can be carried out. */
  ConfigurationValid,
  /** The join Secret is there, with a token that works. */
  JoinMaterialReady,
  /** Each node has the prefix for pods that it asked for. Only with spec.addresses. */
  AddressesAssigned,
  /** All nodes that registered are Ready. */
  NodesReady,
  /** All nodes have the heartbeats that the pool asks for. */
  HeartbeatsUpToDate,
  /** Nodes of hosts that are gone are deleted. Only with spec.repair. */
  NodesRepaired,
  /** No node has a kubelet that is older than the pool's version. Only with spec.upgrade. */
  NodesUpToDate,
  /** Every agent runs its newest revision. Only with spec.agents.daemonSets. */
  AgentsUpToDate,
  /** The policy about DaemonSets is in force. Only with spec.agents.admission. */
  AgentPolicyInForce,
  /**
   * All of the above but for heartbeats, repair and upgrade: for tools that know this of any Kind.
   */
  Ready,
  /** A change is being carried out: for tools. */
  Reconciling,
  /** Nothing goes on until a person acts: for tools. */
  Stalled
}
