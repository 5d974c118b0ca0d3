// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** How nodes that joined come to the version of the pool. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeUpgradeSpec(
    @Min(1)
        @Max(50)
        @JsonPropertyDescription(
            "Percent of the pool's nodes that may be unavailable while nodes are upgraded, at least"
                + " one node and at most 1,000: 1 to 50. Nodes that are not Ready for another reason"
                + " count, too. Default: 5.")
        Integer maxUnavailablePercent,
    @Min(1)
        @Max(1440)
        @JsonPropertyDescription(
            "Minutes in which the pods of a node must leave, 1 to 1,440. After that, no other node is"
                + " drained until the pods have left. The operator evicts pods and never deletes them,"
                + " so PodDisruptionBudgets hold without end. Default: 60.")
        Integer drainTimeoutMinutes,
    @Min(1)
        @Max(1440)
        @JsonPropertyDescription(
            "Minutes in which a drained node must become Ready with the version of the pool, 1 to"
                + " 1,440. After that, no other node is drained until the node has the version or its"
                + " Node is deleted. Default: 30.")
        Integer returnTimeoutMinutes) {
  private static final int DEFAULT_UNAVAILABLE_PERCENT = 5;
  private static final int DEFAULT_DRAIN_MINUTES = 60;
  private static final int DEFAULT_RETURN_MINUTES = 30;

  /** The spec with every field filled in. */
  public NodeUpgradeSpec filled() {
    return new NodeUpgradeSpec(
        maxUnavailablePercent == null ? DEFAULT_UNAVAILABLE_PERCENT : maxUnavailablePercent,
        drainTimeoutMinutes == null ? DEFAULT_DRAIN_MINUTES : drainTimeoutMinutes,
        returnTimeoutMinutes == null ? DEFAULT_RETURN_MINUTES : returnTimeoutMinutes);
  }
}
