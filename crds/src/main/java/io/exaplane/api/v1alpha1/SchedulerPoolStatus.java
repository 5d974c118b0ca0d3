// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;

/** What is known of a scheduler. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SchedulerPoolStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription(
            "Kubernetes version of the cluster; the scheduler follows the rules of this version.")
        String kubernetesVersion,
    @JsonPropertyDescription("The pod in charge; absent while no pod of the pool is in charge.")
        String leader,
    @JsonPropertyDescription("The roots; one of them decides.") Tier roots,
    @JsonPropertyDescription("The processes between shards and roots.") Tier relays,
    @JsonPropertyDescription("The processes that know the nodes.") Shards shards,
    @JsonPropertyDescription("The tree as the root in charge sees it.") Tree tree,
    @JsonPropertyDescription("The addresses of the Services of roots and relays.")
        List<ServiceAddresses> services,
    @Size(max = 63)
        @JsonPropertyDescription(
            "The bundle of flags, images and templates that the pods are made of.")
        String bundle,
    @JsonPropertyDescription("Conditions, each with a reason, a message and the next action.")
        List<Condition> conditions,
    @JsonPropertyDescription("Restarts of the processes.") RestartStatus restart) {

  /** One of a pool that never restarted. */
  public SchedulerPoolStatus(
      Long observedGeneration,
      String kubernetesVersion,
      String leader,
      Tier roots,
      Tier relays,
      Shards shards,
      Tree tree,
      List<ServiceAddresses> services,
      String bundle,
      List<Condition> conditions) {
    this(
        observedGeneration,
        kubernetesVersion,
        leader,
        roots,
        relays,
        shards,
        tree,
        services,
        bundle,
        conditions,
        null);
  }

  /** The same with what is known of restarts; null for nothing. */
  public SchedulerPoolStatus withRestart(RestartStatus known) {
    return new SchedulerPoolStatus(
        observedGeneration,
        kubernetesVersion,
        leader,
        roots,
        relays,
        shards,
        tree,
        services,
        bundle,
        conditions,
        known);
  }

  /** Processes of one role. */
  public record Tier(
      @JsonPropertyDescription("Number of replicas that exist now.") Integer replicas,
      @JsonPropertyDescription("Replicas that are ready.") Integer ready,
      @JsonPropertyDescription("Replicas of the newest template.") Integer updated,
      @JsonPropertyDescription("Ready and desired, for example 2/2.") String summary) {}

  /** Shards, with what the scale subresource needs. */
  public record Shards(
      @StatusReplicas @JsonPropertyDescription("Number of replicas that exist now.")
          Integer replicas,
      @JsonPropertyDescription("Replicas that are ready.") Integer ready,
      @JsonPropertyDescription("Replicas of the newest template.") Integer updated,
      @JsonPropertyDescription("Ready and desired, for example 2/2.") String summary,
      @LabelSelector @JsonPropertyDescription("Label selector of the pods.") String selector) {}

  /** The tree. */
  public record Tree(
      @JsonPropertyDescription("Number of relays that are members.") Integer relays,
      @JsonPropertyDescription("Number of shards that are members.") Integer shards,
      @JsonPropertyDescription("Number of nodes that the shards hold.") Integer nodes,
      @JsonPropertyDescription("Number of nodes of the smallest shard.") Integer fewestNodes,
      @JsonPropertyDescription("Number of nodes of the largest shard.") Integer mostNodes,
      @JsonPropertyDescription("Whether the shards know all nodes.") Boolean complete) {}
}
