// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;

/** What is known of a pool of nodes. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodePoolStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription("Kubelet version that the join Secret is for.") String version,
    @JsonPropertyDescription("Numbers of nodes; absent until the operator has seen the nodes.")
        Nodes nodes,
    @JsonPropertyDescription(
            "The first nodes that need an action, at most 10: those without a prefix, then those"
                + " that are not Ready, each by name.")
        List<Failure> failures,
    @JsonPropertyDescription("Prefixes of pods; absent without spec.addresses.") Prefixes prefixes,
    @JsonPropertyDescription("Versions of kubelets, and the number of nodes of each.")
        List<NodeVersion> versions,
    @JsonPropertyDescription("Renewals of Leases that the nodes cause.")
        LeaseRenewals leaseRenewalsPerSecond,
    @JsonPropertyDescription("The Secret with which hosts join the pool.") JoinSecret joinSecretRef,
    @JsonPropertyDescription("Conditions, each with a reason, a message and the next action.")
        List<Condition> conditions,
    @JsonPropertyDescription("How the nodes say that they live.") Heartbeats heartbeats,
    @JsonPropertyDescription("The DaemonSets in spec.agents.daemonSets, in that order.")
        List<Agent> agents,
    @JsonPropertyDescription("The upgrade of the nodes; absent without spec.upgrade.")
        Upgrade upgrade,
    @JsonPropertyDescription(
            "The CAs that the nodes are to trust; absent while a rotation of the CA prepares, and"
                + " until the operator has seen the nodes.")
        Authorities authorities) {

  /** One that says nothing of heartbeats, agents, an upgrade and CAs. */
  public NodePoolStatus(
      Long observedGeneration,
      String version,
      Nodes nodes,
      List<Failure> failures,
      Prefixes prefixes,
      List<NodeVersion> versions,
      LeaseRenewals leaseRenewalsPerSecond,
      JoinSecret joinSecretRef,
      List<Condition> conditions) {
    this(
        observedGeneration,
        version,
        nodes,
        failures,
        prefixes,
        versions,
        leaseRenewalsPerSecond,
        joinSecretRef,
        conditions,
        null,
        null,
        null,
        null);
  }

  /** The same with what is known of heartbeats; null for nothing. */
  public NodePoolStatus withHeartbeats(Heartbeats known) {
    return new NodePoolStatus(
        observedGeneration,
        version,
        nodes,
        failures,
        prefixes,
        versions,
        leaseRenewalsPerSecond,
        joinSecretRef,
        conditions,
        known,
        agents,
        upgrade,
        authorities);
  }

  /** The same with what is known of agents; null for nothing. */
  public NodePoolStatus withAgents(List<Agent> known) {
    return new NodePoolStatus(
        observedGeneration,
        version,
        nodes,
        failures,
        prefixes,
        versions,
        leaseRenewalsPerSecond,
        joinSecretRef,
        conditions,
        heartbeats,
        known,
        upgrade,
        authorities);
  }

  /** The same with what is known of an upgrade; null for nothing. */
  public NodePoolStatus withUpgrade(Upgrade known) {
    return new NodePoolStatus(
        observedGeneration,
        version,
        nodes,
        failures,
        prefixes,
        versions,
        leaseRenewalsPerSecond,
        joinSecretRef,
        conditions,
        heartbeats,
        agents,
        known,
        authorities);
  }

  /** The same with what is known of CAs; null for nothing. */
  public NodePoolStatus withAuthorities(Authorities known) {
    return new NodePoolStatus(
        observedGeneration,
        version,
        nodes,
        failures,
        prefixes,
        versions,
        leaseRenewalsPerSecond,
        joinSecretRef,
        conditions,
        heartbeats,
        agents,
        upgrade,
        known);
  }

  /** Which CAs nodes trust. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Authorities(
      @Required
          @JsonPropertyDescription(
              "Short name of the CAs that nodes are to trust: 16 hexadecimal digits. For example"
                  + " '3f2a9c0177aabbcc'.")
          String id,
      @Required
          @JsonPropertyDescription(
              "Nodes that trust these CAs, and whose certificates the present CA signed.")
          Integer followingNodes,
      @Required @JsonPropertyDescription("All other nodes of the pool.") Integer otherNodes,
      @JsonPropertyDescription("Percent of the nodes that may restart their kubelets for it now.")
          Integer releasedPercent,
      @JsonPropertyDescription("The first of the other nodes, at most 10, by name.")
          List<LateNode> nodes) {}

  /** A node that does not follow a rotation of the CA yet. */
  public record LateNode(
      @Required @JsonPropertyDescription("Name of the node.") String node,
      @Required @JsonPropertyDescription("Obstacle, and the next action.") String message) {}

  /** How the nodes say that they live. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Heartbeats(
      @Required
          @JsonPropertyDescription("Duration, in seconds, of the Leases that nodes are to have.")
          Integer leaseSeconds,
      @Required
          @JsonPropertyDescription(
              "Interval, in seconds, at which nodes are to compute their status.")
          Integer statusUpdateSeconds,
      @Required
          @JsonPropertyDescription(
              "Interval, in seconds, at which nodes are to report a status that did not change.")
          Integer statusReportSeconds,
      @Required
          @JsonPropertyDescription(
              "Longest duration, in seconds, of a Lease that a node may still have."
                  + " kube-controller-manager does not declare nodes dead sooner than after 1.25"
                  + " times that.")
          Integer longestLeaseSeconds,
      @JsonPropertyDescription("Percent of the nodes that may take these heartbeats now.")
          Integer releasedPercent,
      @JsonPropertyDescription("Nodes that said that they have these heartbeats.")
          Integer updatedNodes) {}

  /** Numbers of nodes. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Nodes(
      @Required @JsonPropertyDescription("Number of Nodes of the pool that exist.")
          Integer registered,
      @Required @JsonPropertyDescription("Nodes that are Ready.") Integer ready,
      @Required
          @JsonPropertyDescription(
              "Nodes that were created less than 5 minutes ago and never Ready.")
          Integer joining,
      @Required
          @JsonPropertyDescription("Nodes that are neither Ready nor joining, or have no prefix.")
          Integer failed,
      @Required @JsonPropertyDescription("Ready and registered, for example 2/3.")
          String summary) {}

  /** A node that needs somebody. */
  public record Failure(
      @Required @JsonPropertyDescription("Name of the node.") String node,
      @Required @JsonPropertyDescription("Reason in one word.") String reason,
      @Required @JsonPropertyDescription("Meaning of the reason, and the next action.")
          String message) {}

  /** Prefixes of pods. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Prefixes(
      @Required @JsonPropertyDescription("Nodes whose prefix is accepted.") Integer used,
      @Required @JsonPropertyDescription("Nodes whose prefix is refused.") Integer conflicts,
      @JsonPropertyDescription(
              "Nodes whose hosts found that their prefix is routed to them. Absent if no host"
                  + " reported: hosts do with spec.addresses.neighborDiscovery Auto.")
          Integer routed,
      @JsonPropertyDescription(
              "Nodes whose hosts found that a router asks on the link for each address of their"
                  + " prefix. Absent if no host reported.")
          Integer onLink) {

    /** Of hosts that found nothing out. */
    public Prefixes(Integer used, Integer conflicts) {
      this(used, conflicts, null, null);
    }
  }

  /** Nodes of a version. */
  public record NodeVersion(
      @Required @JsonPropertyDescription("Kubelet version, for example 1.37.2.") String version,
      @Required @JsonPropertyDescription("Number of nodes with this version.") Integer nodes) {}

  /** Renewals of Leases. */
  public record LeaseRenewals(
      @Required
          @JsonPropertyDescription(
              "Renewals per second of the registered nodes, by the duration of their Leases;"
                  + " rounded up.")
          Integer expected) {}

  /** The Secret with the join material. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record JoinSecret(
      @Required @JsonPropertyDescription("Name of the Secret in the same namespace.") String name,
      @JsonPropertyDescription("RFC 3339 time at which the bootstrap token in the Secret ends.")
          String expires) {}

  /** An agent on the nodes of the pool. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Agent(
      @Required @JsonPropertyDescription("Namespace of the DaemonSet.") String namespace,
      @Required @JsonPropertyDescription("Name of the DaemonSet.") String name,
      @Required
          @JsonPropertyDescription(
              "Nodes with a pod of the agent. The first NodePool by name that lists the agent also"
                  + " counts nodes of pools that do not list it.")
          Integer nodes,
      @Required @JsonPropertyDescription("Those whose pod has the newest revision.")
          Integer updated,
      @Required @JsonPropertyDescription("Number of agents whose pod is Ready.") Integer ready,
      @JsonPropertyDescription(
              "Findings of 'exactl lists --tell-agents' about the LIST requests of the agent: the"
                  + " day, and each finding with the number of times. Absent before the first"
                  + " check, or if nothing was found. For example '2026-11-28: Polling (40)'.")
          String listsFindings,
      @JsonPropertyDescription(
              "ServiceAccount of the agent's pods, in the form namespace/serviceaccount. The"
                  + " operator treats the account as one of spec.sizing.agents of the ControlPlane."
                  + " Absent for the account default, which unrelated programs share.")
          String serviceAccount) {}

  /** How far the upgrade of the nodes is. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Upgrade(
      @Required
          @JsonPropertyDescription(
              "Kubelet version that the nodes are to have, for example 1.37.2.")
          String version,
      @Required @JsonPropertyDescription("Nodes that have the version, or a newer one.")
          Integer updated,
      @Required @JsonPropertyDescription("Nodes that have an older version.") Integer outdated,
      @JsonPropertyDescription(
              "The nodes that the operator drains now, at most 10: those that wait for longest.")
          List<UpgradingNode> nodes) {}

  /** A node that is being upgraded. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record UpgradingNode(
      @Required @JsonPropertyDescription("Name of the node.") String node,
      @Required
          @JsonPropertyDescription(
              "Draining while pods leave; Drained while the host brings the new kubelet.")
          String phase,
      @Required @JsonPropertyDescription("RFC 3339 time at which the phase began.") String since,
      @JsonPropertyDescription("Obstacle, and the next action; absent without one.")
          String message) {}
}
