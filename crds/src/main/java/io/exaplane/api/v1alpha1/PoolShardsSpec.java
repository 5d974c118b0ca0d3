// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;

/** The processes that know the nodes. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PoolShardsSpec(
    @SpecReplicas
        @Default("0")
        @Min(0)
        @Max(512)
        @JsonPropertyDescription(
            "Number of shards; the condition SizingValid recommends a number for the"
                + " nodes. Default: 0, and the root evaluates all nodes itself.")
        Integer replicas,
    @JsonPropertyDescription(
            "Requests and limits of each container, as in a pod. Default: memory by the shard's"
                + " part of the nodes, with a limit of twice the request. The heap is half of the"
                + " limit.")
        ResourceRequirements resources) {

  /** The number of replicas, with the default filled in. */
  public static int replicas(PoolShardsSpec spec) {
    return spec == null || spec.replicas == null ? 0 : spec.replicas;
  }

  /** The container's resources as asked for, or null. */
  public static ResourceRequirements resources(PoolShardsSpec spec) {
    return spec == null ? null : spec.resources;
  }
}
