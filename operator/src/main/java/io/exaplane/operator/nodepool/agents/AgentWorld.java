// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.operator.guard.GateReading;
import io.exaplane.operator.nodepool.address.NodeSight;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What is seen of a hosted cluster, as of now. No method waits. */
interface AgentWorld {
  /** All DaemonSets; empty until they were listed. */
  Optional<Collection<AgentSet>> sets();

  /** All Nodes; empty until they were listed. */
  Optional<List<NodeSight>> nodes();

  /** Pods of a DaemonSet, which are followed from the first call on; empty until listed. */
  Optional<AgentPods> pods(AgentSet set);

  /** Follows the pods of no other DaemonSets than these, by UID. */
  void keep(Collection<String> uids);

  /** The last look at the kube-apiservers. */
  Optional<GateReading> gate();
}
