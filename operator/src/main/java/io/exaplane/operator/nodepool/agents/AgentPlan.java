// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.api.v1alpha1.NodeAgentRef;
import io.exaplane.api.v1alpha1.NodeAgentsAdmissionMode;
import io.exaplane.api.v1alpha1.NodeAgentsGateSpec;
import io.exaplane.api.v1alpha1.NodeAgentsResume;
import io.exaplane.api.v1alpha1.NodeAgentsSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.names.NodePoolNames;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What all pools of a hosted cluster ask for about its agents. Two equal plans ask for the same.
 * Immutable.
 *
 * @param pools those that list DaemonSets, by name, in order
 * @param policy about all other DaemonSets, if a pool asks for one
 * @param closedBy why nothing restarts now, whatever the figures are; "" if nothing is in the way
 */
public record AgentPlan(List<PoolWaves> pools, Optional<Policy> policy, String closedBy) {
  /** Nothing is asked for: what an earlier plan did is taken back. */
  public static final AgentPlan NONE = new AgentPlan(List.of(), Optional.empty(), "");

  public AgentPlan {
    pools = List.copyOf(pools);
  }

  /**
   * What one pool asks for.
   *
   * @param resume what a person wrote into the annotation; "" if nothing
   */
  public record PoolWaves(
      String pool,
      List<NodeAgentRef> agents,
      int percentPerMinute,
      NodeAgentsGateSpec gate,
      NodeAgentsResume mode,
      String resume) {
    public PoolWaves {
      agents = List.copyOf(agents);
    }
  }

  /**
   * The policy of all pools together.
   *
   * @param mode the strictest
   * @param percent the smallest
   * @param exempt those of all, as kube-system/kube-proxy
   * @param pools that ask for a policy, by name
   */
  public record Policy(
      NodeAgentsAdmissionMode mode, int percent, List<String> exempt, List<String> pools) {
    public Policy {
      exempt = List.copyOf(exempt);
      pools = List.copyOf(pools);
    }
  }

  /**
   * Of a control plane's pools that are not being deleted.
   *
   * @param closedBy why nothing may restart now; "" if nothing is in the way
   */
  public static AgentPlan of(List<NodePool> pools, String closedBy) {
    List<NodePool> asking =
        pools.stream()
            .filter(pool -> pool.getSpec().agents() != null)
            .sorted(Comparator.comparing(pool -> pool.getMetadata().getName()))
            .toList();
    return new AgentPlan(
        asking.stream()
            .filter(pool -> pool.getSpec().agents().daemonSets() != null)
            .map(AgentPlan::waves)
            .toList(),
        policy(
            asking.stream().filter(pool -> pool.getSpec().agents().admission() != null).toList()),
        closedBy);
  }

  private static PoolWaves waves(NodePool pool) {
    NodeAgentsSpec spec = NodeAgentsSpec.of(pool.getSpec().agents());
    Map<String, String> annotations =
        Objects.requireNonNullElse(pool.getMetadata().getAnnotations(), Map.of());
    return new PoolWaves(
        pool.getMetadata().getName(),
        spec.daemonSets(),
        spec.maxPercentPerMinute(),
        spec.gate(),
        spec.resume(),
        annotations.getOrDefault(NodePoolNames.RESUME_AGENTS, "").strip());
  }

  private static Optional<Policy> policy(List<NodePool> pools) {
    List<NodeAgentsSpec> specs =
        pools.stream().map(pool -> NodeAgentsSpec.of(pool.getSpec().agents())).toList();
    return specs.stream()
        .map(spec -> spec.admission().mode())
        .max(Comparator.naturalOrder())
        .map(
            mode ->
                new Policy(
                    mode,
                    specs.stream()
                        .mapToInt(NodeAgentsSpec::maxPercentPerMinute)
                        .min()
                        .orElseThrow(),
                    specs.stream()
                        .flatMap(spec -> Stream.ofNullable(spec.admission().exempt()))
                        .flatMap(List::stream)
                        .map(NodeAgentRef::text)
                        .sorted()
                        .distinct()
                        .toList(),
                    pools.stream().map(pool -> pool.getMetadata().getName()).toList()));
  }

  /** Which pools list a DaemonSet, by its text. */
  Map<String, List<String>> listed() {
    Map<String, List<String>> listed = new TreeMap<>();
    for (PoolWaves pool : pools) {
      for (NodeAgentRef agent : pool.agents()) {
        listed.merge(
            agent.text(),
            List.of(pool.pool()),
            (one, other) -> Stream.concat(one.stream(), other.stream()).toList());
      }
    }
    return listed;
  }
}
