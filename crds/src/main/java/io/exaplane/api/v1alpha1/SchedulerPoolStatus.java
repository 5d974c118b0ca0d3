// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;

/** What is known of a scheduler. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SchedulerPoolStatus(
    @JsonPropertyDescription("Generation of the spec that this status speaks of.")
        Long observedGeneration,
    @JsonPropertyDescription(
            "Kubernetes version of the cluster, whose rules the scheduler follows.")
        String kubernetesVersion,
    @JsonPropertyDescription("The pod that is in charge; absent while none of the pool's is.")
        String leader,
    @JsonPropertyDescription("The processes of which one decides.") Tier roots,
    @JsonPropertyDescription("The processes between shards and roots.") Tier relays,
    @JsonPropertyDescription("The processes that know the nodes.") Shards shards,
    @JsonPropertyDescription("The tree as the root in charge sees it.") Tree tree,
    @JsonPropertyDescription("The addresses of the Services of roots and relays.")
        List<ServiceAddresses> services,
    @JsonPropertyDescription("Conditions.") List<Condition> conditions) {

  /** Processes of one role. */
  public record Tier(
      @JsonPropertyDescription("Replicas that exist.") Integer replicas,
      @JsonPropertyDescription("Replicas that are ready.") Integer ready,
      @JsonPropertyDescription("Replicas of the newest template.") Integer updated,
      @JsonPropertyDescription("Ready and desired, as 2/2.") String summary) {}

  /** Shards, with what the scale subresource needs. */
  public record Shards(
      @StatusReplicas @JsonPropertyDescription("Replicas that exist.") Integer replicas,
      @JsonPropertyDescription("Replicas that are ready.") Integer ready,
      @JsonPropertyDescription("Replicas of the newest template.") Integer updated,
      @JsonPropertyDescription("Ready and desired, as 2/2.") String summary,
      @LabelSelector @JsonPropertyDescription("Label selector of the pods.") String selector) {}

  /** The tree. */
  public record Tree(
      @JsonPropertyDescription("Relays that are members.") Integer relays,
      @JsonPropertyDescription("Shards that are members.") Integer shards,
      @JsonPropertyDescription("Nodes that shards have.") Integer nodes,
      @JsonPropertyDescription("Nodes of the shard with the fewest.") Integer fewestNodes,
      @JsonPropertyDescription("Nodes of the shard with the most.") Integer mostNodes,
      @JsonPropertyDescription("Whether shards know all nodes.") Boolean complete) {}
}
