// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;

/** When Nodes of hosts that are gone are deleted. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeRepairSpec(
    @Required
        @Min(10)
        @Max(43_200)
        @JsonPropertyDescription(
            "Minutes after which the operator deletes a Node whose kubelet is silent, so that its"
                + " pods start elsewhere and its prefix is free: 10 to 43,200, which is 30 days."
                + " The time counts from the moment at which kube-controller-manager declared the"
                + " node unreachable. A kubelet that answers and is not Ready is not silent.")
        Integer removeAfterMinutes,
    @Min(1)
        @Max(100)
        @JsonPropertyDescription(
            "Percent of the pool's nodes that may be silent at once. While more are silent, the"
                + " operator deletes none, since that looks like a broken network. One silent node"
                + " is never too many. Default: 10.")
        Integer maxSilentPercent) {
  private static final int DEFAULT_SILENT_PERCENT = 10;

  /** The share of nodes, with the default filled in. */
  public int silentPercent() {
    return maxSilentPercent == null ? DEFAULT_SILENT_PERCENT : maxSilentPercent;
  }
}
