// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** What the hosted cluster asks of DaemonSets. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeAgentsAdmissionSpec(
    @Required
        @JsonPropertyDescription(
            "Deny refuses a DaemonSet that breaks a rule. Warn answers its author with a warning."
                + " Audit writes to the audit log only. If several NodePools of a ControlPlane have"
                + " a policy, the strictest mode holds. A DaemonSet must have a ServiceAccount other"
                + " than default, maxUnavailable and maxSurge of at most maxPercentPerMinute or 1"
                + " (or OnDelete), minReadySeconds, and requests of CPU and memory.")
        NodeAgentsAdmissionMode mode,
    @Size(max = 64)
        @JsonPropertyDescription(
            "DaemonSets that the policy lets through. The exemptions of all NodePools of a"
                + " ControlPlane hold. For example [{namespace: kube-system, name: kube-proxy}].")
        List<NodeAgentRef> exempt) {}
