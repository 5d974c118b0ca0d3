// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** The nodes of all pools. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeTotals(
    @Required @JsonPropertyDescription("Number of NodePools of this control plane.") Integer pools,
    @Required
        @JsonPropertyDescription(
            "Nodes of these pools that exist. While nodes join, the number is up to 10 minutes"
                + " old.")
        Integer registered,
    @Required
        @JsonPropertyDescription(
            "Nodes of these pools that are Ready. While nodes join, the number is up to 10 minutes"
                + " old.")
        Integer ready,
    @Required @JsonPropertyDescription("Number of nodes: the sum of spec.maxNodes of these pools.")
        Integer maxNodes,
    @JsonPropertyDescription(
            "Longest duration, in seconds, of a Lease that a node may have. While it is longer than"
                + " the tuning model's, kube-controller-manager's node-monitor-grace-period follows"
                + " this value.")
        Integer longestLeaseSeconds,
    @JsonPropertyDescription("Renewals of the Leases of nodes: expected, and as counted.")
        LeaseRenewals leaseRenewalsPerSecond) {

  /** Renewals of Leases. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record LeaseRenewals(
      @Required
          @JsonPropertyDescription(
              "Renewals per second that the registered nodes of all pools cause, by the duration of"
                  + " their Leases.")
          Integer expected,
      @JsonPropertyDescription(
              "Renewals per second that the store of Leases counted within a minute, also of nodes"
                  + " without a pool. Rounded to two digits, and changed only if the count differs"
                  + " by more than a tenth. Absent until the store has counted for a minute, and"
                  + " for an etcd.")
          Integer seen) {}
}
