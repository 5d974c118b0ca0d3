// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What the user asks of a pool of nodes. Only the control plane and a size are needed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.controlPlaneRef.name == oldSelf.controlPlaneRef.name",
    message =
        "controlPlaneRef: is immutable, since nodes of the pool have joined that cluster; create a"
            + " new NodePool for another ControlPlane")
@ValidationRule(
    value =
        "has(self.addresses) == has(oldSelf.addresses) && (!has(self.addresses) ||"
            + " (self.addresses.source == oldSelf.addresses.source && self.addresses.prefixes =="
            + " oldSelf.addresses.prefixes && self.addresses.podPrefixLength =="
            + " oldSelf.addresses.podPrefixLength && has(self.addresses.requested) =="
            + " has(oldSelf.addresses.requested) && (!has(self.addresses.requested) ||"
            + " self.addresses.requested == oldSelf.addresses.requested)))",
    message =
        "addresses: source, prefixes, podPrefixLength and requested are immutable, since nodes of the"
            + " pool have addresses by them; create a new NodePool for other networks")
@ValidationRule(
    value =
        "(has(self.network) && has(self.network.podLink) ? self.network.podLink : 'Bridge') =="
            + " (has(oldSelf.network) && has(oldSelf.network.podLink) ? oldSelf.network.podLink :"
            + " 'Bridge')",
    message =
        "network.podLink: is immutable, since pods of the two kinds of link do not reach each other"
            + " on one node; create a new NodePool for the other kind")
@ValidationRule(
    value =
        "!has(self.taints) || self.taints.all(t, self.taints.exists_one(o, o.key == t.key && o.effect"
            + " == t.effect))",
    message = "taints: contains a key twice with the same effect; remove one of the two")
public record NodePoolSpec(
    @Required
        @JsonPropertyDescription(
            "The ControlPlane in the same namespace whose cluster the nodes join. Immutable.")
        LocalRef controlPlaneRef,
    @Required
        @Min(1)
        @Max(1_000_000)
        @JsonPropertyDescription(
            "Largest number of nodes of the pool. The sum over all pools of a ControlPlane must not"
                + " exceed the maxNodes of the ControlPlane. More nodes are not refused: NodesReady"
                + " names the number.")
        Integer maxNodes,
    @Size(max = 16)
        @Pattern("^1\\.[0-9]{1,3}\\.[0-9]{1,3}$")
        @JsonPropertyDescription(
            "Version of the kubelets, for example 1.37.2: not newer than the API, and at most three minor"
                + " versions older. Default: the version that the ControlPlane runs.")
        String version,
    @JsonPropertyDescription(
            "Where the pods of the nodes get their addresses. With it, each host brings a prefix, and"
                + " the ControlPlane must have no spec.network.podCIDRs. Default:"
                + " kube-controller-manager gives each node a part of the ControlPlane's podCIDRs. The"
                + " field cannot be added or removed later.")
        NodeAddressesSpec addresses,
    @JsonPropertyDescription(
            "The network of the hosts: size of packets, NAT64, and the links of pods. Hosts take a"
                + " change when the join script runs again.")
        NodeNetworkSpec network,
    @JsonPropertyDescription("Which packets the hosts let in. Default: all of them.")
        NodeFirewallSpec firewall,
    @Size(max = 32) @JsonPropertyDescription("Labels that each node registers with.")
        Map<String, @Size(max = 63) String> labels,
    @Size(max = 16) @JsonPropertyDescription("Taints that each node registers with.")
        List<NodeTaintSpec> taints,
    @JsonPropertyDescription("Settings of the kubelets. Default: those of the tuning model.")
        NodeKubeletSpec kubelet,
    @Min(1)
        @Max(720)
        @JsonPropertyDescription(
            "Lifetime, in hours, of the bootstrap token in the join Secret. A new token replaces the"
                + " token after half of this time; the former token works until its end. Default:"
                + " 24.")
        Integer bootstrapTokenHours,
    @JsonPropertyDescription(
            "Removal of Nodes whose hosts are gone. Default: the operator deletes no Node.")
        NodeRepairSpec repair,
    @JsonPropertyDescription(
            "Upgrade of nodes whose kubelet is older than the version of the pool: the operator drains"
                + " them, a few at a time, and the hosts bring the new kubelet. Nodes whose hosts have"
                + " another prefix than before are drained, too, and deleted; the hosts then join"
                + " again. For example"
                + " {maxUnavailablePercent: 10}. Default: nodes keep their kubelets, and the operator"
                + " drains none.")
        NodeUpgradeSpec upgrade,
    @JsonPropertyDescription(
            "How agents, which are DaemonSets of the hosted cluster, restart on the nodes. Default:"
                + " as their updateStrategy says.")
        NodeAgentsSpec agents) {
  private static final int DEFAULT_TOKEN_HOURS = 24;

  /** How long a bootstrap token works, with the default filled in. */
  public Duration tokenLifetime() {
    return Duration.ofHours(
        bootstrapTokenHours == null ? DEFAULT_TOKEN_HOURS : bootstrapTokenHours);
  }
}
