// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** The network of the hosts of a pool. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeNetworkSpec(
    @Min(1280)
        @Max(65535)
        @JsonPropertyDescription(
            "Largest size, in bytes, of a packet of pods. Set a value if packets pass a tunnel, for example"
                + " 1420 for WireGuard. Default: that of the interface that leads to the API.")
        Integer mtu,
    @JsonPropertyDescription(
            "Translation for servers that have no IPv6 address. The preflight of the join script"
                + " tests it. Default: none.")
        Nat64Spec nat64,
    @JsonPropertyDescription(
            "How pods are linked to their host. Bridge: all pods of a node are on one bridge, by the"
                + " CNI plugin bridge. PointToPoint: each pod has its own link, by the CNI plugin"
                + " ptp. No pod then sees the neighbour solicitations of another pod, and the host"
                + " needs no module br_netfilter. Default: Bridge. Immutable.")
        PodLink podLink) {
  private static final NodeNetworkSpec NONE = new NodeNetworkSpec(null, null, null);

  /** The spec, or one that says nothing. */
  public static NodeNetworkSpec of(NodeNetworkSpec spec) {
    return spec == null ? NONE : spec;
  }
}
