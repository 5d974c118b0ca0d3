// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.operator.nodepool.agents.AgentPlan.Policy;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is asked of a hosted cluster, and changed in it, for its agents. Every method waits for the
 * answer, and throws {@link KubernetesClientException} if the API refuses or does not answer.
 */
interface AgentPort {
  /**
   * A ledger as it is stored.
   *
   * @param version that a write must replace
   */
  record Stored(WaveLedger ledger, String version) {}

  /** What became of the deletion of a pod. */
  enum Deleted {
    DONE,
    /** There is no such pod any more, or another one of that name. */
    GONE
  }

  /** What became of deletions: by the pod's UID, or the first refusal. */
  record Deletions(Map<String, Deleted> done, Optional<String> refusal) {}

  /** The ledger of a pool; empty if there is none, or somebody damaged it. */
  Optional<Stored> ledger(String pool);

  /**
   * Writes the ledger of a pool.
   *
   * @param before what it replaces; empty if none is there, or a damaged one
   * @return what is stored now; empty if somebody else wrote meanwhile
   */
  Optional<Stored> write(String pool, Optional<Stored> before, WaveLedger ledger);

  /** Deletes the ledger of a pool that is gone. */
  void forget(String pool);

  /** Sets OnDelete, and says why; the DaemonSet must still be the one of that UID. */
  void hold(AgentSet set, String sentence);

  /** Gives a DaemonSet its own strategy back, and takes the sentence away. */
  void release(AgentSet set);

  /** The hash of the newest template of a DaemonSet; empty if nobody has it yet. */
  Optional<String> revision(AgentSet set);

  /** Deletes pods, each only if it still has its UID. */
  Deletions delete(List<WavePlanner.Deletion> pods);

  /** Puts the policy in force; without one, takes it away. */
  void policy(Optional<Policy> policy);
}
