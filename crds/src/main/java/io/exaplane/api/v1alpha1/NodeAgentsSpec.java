// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** How the agents of a pool's nodes restart. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.daemonSets) || has(self.admission)",
    message = "agents: names nothing; set daemonSets or admission, or remove agents")
@ValidationRule(
    value =
        "!has(self.daemonSets) || self.daemonSets.all(a, self.daemonSets.exists_one(b, b.name =="
            + " a.name && b.__namespace__ == a.__namespace__))",
    message = "agents.daemonSets: contains a DaemonSet twice; remove one of the two")
@ValidationRule(
    value =
        "!has(self.maxPercentPerMinute) || (self.maxPercentPerMinute >= 1 &&"
            + " self.maxPercentPerMinute <= 100)",
    message =
        "agents.maxPercentPerMinute: must be from 1 to 100, percent of the nodes within a minute; set"
            + " such a number, or remove the field for 10")
public record NodeAgentsSpec(
    @Size(min = 1, max = 64)
        @JsonPropertyDescription(
            "DaemonSets of the hosted cluster that the operator restarts in waves, one after the"
                + " other in this order. The operator sets their updateStrategy to OnDelete, and"
                + " deletes pods of the former revision. A DaemonSet that leaves the list gets its"
                + " own strategy back. For example [{namespace: kube-system, name: cilium}].")
        List<NodeAgentRef> daemonSets,
    @JsonPropertyDescription(
            "Largest percentage of the pool's nodes on which the operator restarts an agent within"
                + " 60 seconds, all agents together; at least one node. From 1 to 100. Default: 10.")
        Integer maxPercentPerMinute,
    @JsonPropertyDescription(
            "Limits of the hosted API and of the agents. While one is exceeded or cannot be read, no"
                + " agent restarts. Default: the default of each limit.")
        NodeAgentsGateSpec gate,
    @JsonPropertyDescription(
            "The end of a hold after a closed gate or a wave that did not become ready. Automatic: the"
                + " operator continues after gate.calmLooks good checks in a row. Manual: the operator"
                + " waits for the annotation exaplane.io/resume-agents. Default: Automatic.")
        NodeAgentsResume resume,
    @JsonPropertyDescription(
            "A policy in the hosted cluster about all other DaemonSets. Default: no policy.")
        NodeAgentsAdmissionSpec admission) {
  private static final int DEFAULT_PERCENT = 10;

  /** The spec with every field filled in but for the policy, which may be null. */
  public static NodeAgentsSpec of(NodeAgentsSpec spec) {
    return new NodeAgentsSpec(
        spec == null || spec.daemonSets == null ? List.of() : spec.daemonSets,
        spec == null || spec.maxPercentPerMinute == null
            ? DEFAULT_PERCENT
            : spec.maxPercentPerMinute,
        NodeAgentsGateSpec.of(spec == null ? null : spec.gate),
        spec == null || spec.resume == null ? NodeAgentsResume.Automatic : spec.resume,
        spec == null ? null : spec.admission);
  }
}
