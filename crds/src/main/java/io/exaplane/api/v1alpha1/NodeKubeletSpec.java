// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;

/** Settings of the kubelets that take the place of the tuning model's. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "has(self.nodeStatusUpdateFrequencySeconds) == has(self.nodeStatusReportFrequencySeconds)",
    message =
        "kubelet: nodeStatusUpdateFrequencySeconds and nodeStatusReportFrequencySeconds belong"
            + " together, since one of them changes the other's default; set both or neither")
@ValidationRule(
    value =
        "!has(self.nodeStatusUpdateFrequencySeconds) || !has(self.nodeStatusReportFrequencySeconds)"
            + " || self.nodeStatusUpdateFrequencySeconds <= self.nodeStatusReportFrequencySeconds",
    message =
        "kubelet.nodeStatusUpdateFrequencySeconds: must not exceed"
            + " nodeStatusReportFrequencySeconds, since the kubelet reports at an update; lower it")
public record NodeKubeletSpec(
    @Min(1)
        @Max(1000)
        @JsonPropertyDescription(
            "Largest number of pods on a node. Default: the tuning model's, or 110.")
        Integer maxPods,
    @Min(10)
        @Max(3600)
        @JsonPropertyDescription(
            "Duration of a node's Lease, in seconds. The kubelet renews the Lease after a quarter of"
                + " this time. Default: the tuning model's.")
        Integer leaseDurationSeconds,
    @Min(1)
        @Max(3600)
        @JsonPropertyDescription(
            "Interval, in seconds, at which the kubelet computes the status of its node. Default:"
                + " the tuning model's, or 10.")
        Integer nodeStatusUpdateFrequencySeconds,
    @Min(1)
        @Max(86400)
        @JsonPropertyDescription(
            "Interval, in seconds, at which the kubelet reports a status that did not change."
                + " Default: the tuning model's, or 300.")
        Integer nodeStatusReportFrequencySeconds,
    @Min(1)
        @Max(100)
        @JsonPropertyDescription(
            "Percent of the pool's nodes that may take changed heartbeats, or a new CA, within a"
                + " minute. Heartbeats are the duration of the Lease and the two intervals of the"
                + " status, whoever sets them. A node that takes them restarts its kubelet, and no"
                + " pod. Default: 10.")
        Integer changePercentPerMinute) {
  private static final int DEFAULT_CHANGE_PERCENT = 10;
  private static final NodeKubeletSpec NONE = new NodeKubeletSpec(null, null, null, null, null);

  /** The share of nodes that change at once, with the default filled in. */
  public int changePercent() {
    return changePercentPerMinute == null ? DEFAULT_CHANGE_PERCENT : changePercentPerMinute;
  }

  /** The spec, or one that says nothing. */
  public static NodeKubeletSpec of(NodeKubeletSpec spec) {
    return spec == null ? NONE : spec;
  }
}
