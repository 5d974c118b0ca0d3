// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.operator.nodepool.agents.AgentPlan.Policy;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Keeps the policy about DaemonSets as the plan says. One thread writes; any may read. */
final class PolicyKeeper {
  /** What somebody else changed of it is brought back after that time. */
  private static final Duration EVERY = Duration.ofSeconds(30);

  private final AgentPort port;
  private Optional<Policy> kept;
  private Instant next = Instant.MIN;
  private volatile Optional<String> problem = Optional.empty();

  PolicyKeeper(AgentPort port) {
    this.port = port;
  }

  /** Looks, and writes what is not as it should be; returns whether there is news. */
  boolean ensure(Optional<Policy> policy, Instant now) {
    boolean isNew = kept == null || !kept.equals(policy);
    if (!isNew && now.isBefore(next)) {
      return false;
    }
    if (isNew) {
      problem = Optional.empty();
    }
    kept = policy;
    next = now.plus(EVERY);
    Optional<String> before = problem;
    try {
      port.policy(policy);
      problem = Optional.of("");
    } catch (KubernetesClientException e) {
      if (!Refusals.of(e).passes()) {
        problem = Optional.of(Refusals.of(e).text());
      }
    }
    return !problem.equals(before);
  }

  /** Why it is not in force; "" if it is; empty before it was tried. */
  Optional<String> problem() {
    return problem;
  }
}
