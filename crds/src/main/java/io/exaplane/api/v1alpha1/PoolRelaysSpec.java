// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.kubernetes.api.model.ResourceRequirements;

/** The processes between shards and roots. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PoolRelaysSpec(
    @Default("10")
        @Min(2)
        @Max(64)
        @JsonPropertyDescription(
            "Largest number of shards below one relay or the root. Up to this number of"
                + " shards need no relays; more shards get one relay for each such group."
                + " Default: 10.")
        Integer fanOut,
    @JsonPropertyDescription("Requests and limits of each container, as in a pod.")
        ResourceRequirements resources) {

  private static final int DEFAULT_FAN_OUT = 10;

  /** How many relays so many shards need. */
  public static int replicas(PoolRelaysSpec spec, int shards) {
    int fanOut = spec == null || spec.fanOut == null ? DEFAULT_FAN_OUT : spec.fanOut;
    return shards <= fanOut ? 0 : Math.ceilDiv(shards, fanOut);
  }

  /** The container's resources as asked for, or null. */
  public static ResourceRequirements resources(PoolRelaysSpec spec) {
    return spec == null ? null : spec.resources;
  }
}
