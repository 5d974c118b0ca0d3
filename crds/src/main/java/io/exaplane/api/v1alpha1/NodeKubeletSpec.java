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
@ValidationRule(
    value =
        "(has(self.imageGCLowThresholdPercent) ? self.imageGCLowThresholdPercent : 80) <"
            + " (has(self.imageGCHighThresholdPercent) ? self.imageGCHighThresholdPercent : 85)",
    message =
        "kubelet.imageGCLowThresholdPercent: must be less than imageGCHighThresholdPercent, which are 80"
            + " and 85 if they are not set, since the kubelet does not start otherwise; set both")
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
        Integer changePercentPerMinute,
    @Min(1)
        @Max(100)
        @JsonPropertyDescription(
            "Percent of the disk of images in use from which the kubelet deletes images that no"
                + " container uses. 100 never deletes any. Default: the kubelet's, 85.")
        Integer imageGCHighThresholdPercent,
    @Min(0)
        @Max(99)
        @JsonPropertyDescription(
            "Percent of the disk of images in use down to which the kubelet deletes images. Must be"
                + " less than imageGCHighThresholdPercent. Default: the kubelet's, 80.")
        Integer imageGCLowThresholdPercent,
    @Min(-1)
        @Max(1000)
        @JsonPropertyDescription(
            "Largest number of images in the status of a node; -1 for all. Each image adds about 150"
                + " bytes to the Node, which every client that watches Nodes reads. Default: the"
                + " tuning model's, or 50.")
        Integer nodeStatusMaxImages,
    @JsonPropertyDescription(
            "How the kubelet learns of changes of the ConfigMaps and Secrets that its pods use. Watch:"
                + " at once, with a watch for each object. Cache: within about a minute, without"
                + " watches. Get: at each synchronization of a pod, with a read of each object."
                + " Default: the tuning model's, or Watch.")
        NodeChangeDetection changeDetection) {
  private static final int DEFAULT_CHANGE_PERCENT = 10;
  private static final NodeKubeletSpec NONE =
      new NodeKubeletSpec(null, null, null, null, null, null, null, null, null);

  /** The share of nodes that change at once, with the default filled in. */
  public int changePercent() {
    return changePercentPerMinute == null ? DEFAULT_CHANGE_PERCENT : changePercentPerMinute;
  }

  /** The spec, or one that says nothing. */
  public static NodeKubeletSpec of(NodeKubeletSpec spec) {
    return spec == null ? NONE : spec;
  }
}
