// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** When the hosted cluster is calm enough for the next wave of agents. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeAgentsGateSpec(
    @Min(10)
        @Max(60_000)
        @JsonPropertyDescription(
            "Largest 99th percentile, in milliseconds, of the duration of short requests at each"
                + " kube-apiserver, over the last 5 seconds. Default: 1000.")
        Integer maxRequestP99Millis,
    @Min(0)
        @Max(100_000)
        @JsonPropertyDescription(
            "Largest number of answers with status 429 a second, all kube-apiservers together."
                + " Default: 1.")
        Integer maxThrottledPerSecond,
    @Min(1)
        @Max(100)
        @JsonPropertyDescription(
            "Smallest percentage of nodes whose Lease was renewed in time, as the meltdown guard"
                + " counts Leases. A store that does not count Leases, such as etcd, gives no"
                + " figure: nodes that were Ready within the last 10 minutes count instead."
                + " Default: 99.")
        Integer minLeasesOnTimePercent,
    @Min(0)
        @Max(3600)
        @JsonPropertyDescription(
            "Seconds that each restarted agent must be Ready before the next wave. The minReadySeconds"
                + " of the DaemonSet counts if it is larger. Default: 15.")
        Integer minReadySeconds,
    @Min(30)
        @Max(86_400)
        @JsonPropertyDescription(
            "Seconds after which a wave whose agents are not Ready is an incident, which is told by"
                + " the reason WaveNotReady. Default: 300.")
        Integer readyTimeoutSeconds,
    @Min(0)
        @Max(50)
        @JsonPropertyDescription(
            "Percentage of the nodes of a wave, rounded down, that may fail: nodes that are not Ready"
                + " are not waited for, and at the end of readyTimeoutSeconds neither are agents."
                + " Default: 1.")
        Integer maxUnreadyPercent,
    @Min(1)
        @Max(720)
        @JsonPropertyDescription(
            "Number of good checks in a row after which the operator continues by itself. The operator"
                + " checks every 5 seconds. Default: 6.")
        Integer calmLooks) {
  private static final NodeAgentsGateSpec NONE =
      new NodeAgentsGateSpec(null, null, null, null, null, null, null);

  /** The gate with every field filled in. */
  public static NodeAgentsGateSpec of(NodeAgentsGateSpec asked) {
    NodeAgentsGateSpec spec = asked == null ? NONE : asked;
    return new NodeAgentsGateSpec(
        or(spec.maxRequestP99Millis, 1000),
        or(spec.maxThrottledPerSecond, 1),
        or(spec.minLeasesOnTimePercent, 99),
        or(spec.minReadySeconds, 15),
        or(spec.readyTimeoutSeconds, 300),
        or(spec.maxUnreadyPercent, 1),
        or(spec.calmLooks, 6));
  }

  private static Integer or(Integer value, int otherwise) {
    return value == null ? otherwise : value;
  }
}
