// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Objects;

/** Which packets hosts let in. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeFirewallSpec(
    @JsonPropertyDescription(
            "Managed: the join script makes a table of nftables that lets in only what a"
                + " node needs, and the listed ports. Pods get no packets with a foreign source"
                + " out. None: the join script leaves packets alone. Default: None.")
        FirewallMode mode,
    @Size(max = 64)
        @JsonPropertyDescription(
            "TCP ports of the host that stay open beside that of the kubelet, for SSH and pods in"
                + " the network of the host. Default: 22.")
        List<@Min(1) @Max(65535) Integer> tcpPorts,
    @Size(max = 64) @JsonPropertyDescription("UDP ports of the host that stay open. Default: none.")
        List<@Min(1) @Max(65535) Integer> udpPorts) {
  private static final List<Integer> SSH = List.of(22);

  /** Whether the script has rules. No getter: the schema would have a field of it. */
  public boolean manages() {
    return mode == FirewallMode.Managed;
  }

  /** The open TCP ports, with the default filled in. */
  public List<Integer> openTcp() {
    return Objects.requireNonNullElse(tcpPorts, SSH);
  }

  /** The open UDP ports, with the default filled in. */
  public List<Integer> openUdp() {
    return Objects.requireNonNullElse(udpPorts, List.of());
  }
}
