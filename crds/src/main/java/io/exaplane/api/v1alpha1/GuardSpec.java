// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** When the operator stops kube-controller-manager from declaring nodes dead. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GuardSpec(
    @JsonPropertyDescription(
            "Enforce stops kube-controller-manager from declaring nodes dead while many nodes, the"
                + " published endpoint or the store of node Leases seem to fail at once. Observe"
                + " reports these decisions and changes nothing. Off checks nothing. Default:"
                + " Enforce.")
        GuardMode mode,
    @Min(10)
        @Max(95)
        @JsonPropertyDescription(
            "Percent of kube-controller-manager's --node-monitor-grace-period after which a Lease"
                + " that was not renewed counts as missed. Gardener's dependency-watchdog uses 75."
                + " Default: 75.")
        Integer stalePercent,
    @Min(1)
        @Max(100)
        @JsonPropertyDescription(
            "Percent of the nodes whose Leases must be missed at the same time. kube-controller-manager"
                + " calls a zone disrupted at 55 (--unhealthy-zone-threshold). Default: 55.")
        Integer unhealthySharePercent,
    @Min(2)
        @Max(1_000_000)
        @JsonPropertyDescription(
            "Number of nodes below which missed Leases alone never stop anything. Default: 10.")
        Integer minNodes,
    @Min(120)
        @Max(1800)
        @JsonPropertyDescription(
            "Seconds after which a Lease that was not renewed belongs to a dead node, but at least"
                + " twice the time after which a Lease is missed. The share of nodes that fail at"
                + " once leaves dead nodes out. Default: 900.")
        Integer deadAfterSeconds,
    @Min(1)
        @Max(20)
        @JsonPropertyDescription(
            "Number of bad checks in a row before the guard acts. The guard checks every 2.5 seconds."
                + " Default: 2.")
        Integer badProbesToFreeze,
    @Min(1)
        @Max(100)
        @JsonPropertyDescription(
            "Number of good checks in a row before the guard allows evictions again. Default: 5.")
        Integer goodProbesToThaw,
    @Min(0)
        @Max(3600)
        @JsonPropertyDescription(
            "Seconds that the nodes have to renew their Leases when the endpoint and the store are"
                + " good again. After this time the guard counts fewer than minNodes nodes as before,"
                + " and forgets nodes whose Leases no longer exist. Default: 120.")
        Integer thawPatienceSeconds,
    @Min(120)
        @Max(86_400)
        @JsonPropertyDescription(
            "Seconds after which the guard believes that nodes are gone: it allows evictions again"
                + " although most nodes still do not renew, if the endpoint and the store were good"
                + " all that time. At least deadAfterSeconds counts. Default: 1800.")
        Integer releaseAfterSeconds) {
  private static final GuardSpec NONE =
      new GuardSpec(null, null, null, null, null, null, null, null, null);

  /** The guard of a spec, every field filled in. */
  public static GuardSpec of(GuardSpec asked) {
    GuardSpec spec = asked == null ? NONE : asked;
    return new GuardSpec(
        spec.mode == null ? GuardMode.Enforce : spec.mode,
        or(spec.stalePercent, 75),
        or(spec.unhealthySharePercent, 55),
        or(spec.minNodes, 10),
        or(spec.deadAfterSeconds, 900),
        or(spec.badProbesToFreeze, 2),
        or(spec.goodProbesToThaw, 5),
        or(spec.thawPatienceSeconds, 120),
        or(spec.releaseAfterSeconds, 1800));
  }

  private static Integer or(Integer value, int otherwise) {
    return value == null ? otherwise : value;
  }
}
