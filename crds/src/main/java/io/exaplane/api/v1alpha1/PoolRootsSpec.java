// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.kubernetes.api.model.ResourceRequirements;

/** The processes of which one decides. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PoolRootsSpec(
    @Default("2")
        @Min(1)
        @Max(5)
        @JsonPropertyDescription(
            "Number of roots; one is in charge, and the others stand by. Default: 2.")
        Integer replicas,
    @JsonPropertyDescription(
            "Requests and limits of each container, as in a pod. Default: memory by the number of"
                + " nodes and pods, with a limit of twice the request. The heap is half of the"
                + " limit.")
        ResourceRequirements resources) {

  private static final int DEFAULT_REPLICAS = 2;

  /** The number of replicas, with the default filled in. */
  public static int replicas(PoolRootsSpec spec) {
    return spec == null || spec.replicas == null ? DEFAULT_REPLICAS : spec.replicas;
  }

  /** The container's resources as asked for, or null. */
  public static ResourceRequirements resources(PoolRootsSpec spec) {
    return spec == null ? null : spec.resources;
  }
}
