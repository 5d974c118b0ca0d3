// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Objects;

/** How nodes and pods without IPv4 reach servers that have no IPv6 address. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.prefix) || (isCIDR(self.prefix) && cidr(self.prefix).ip().family() == 6 &&"
            + " cidr(self.prefix).prefixLength() == 96 && cidr(self.prefix) == cidr(self.prefix).masked())",
    message =
        "network.nat64.prefix: must be an IPv6 CIDR of the length 96 without host bits, for example"
            + " 64:ff9b::/96; write the prefix of your NAT64")
@ValidationRule(
    value = "!has(self.resolvers) || self.resolvers.all(r, isIP(r) && ip(r).family() == 6)",
    message =
        "network.nat64.resolvers: each must be an IPv6 address, since a host without IPv4 reaches no"
            + " other one; write the addresses of your DNS64")
public record Nat64Spec(
    @Size(max = 64)
        @JsonPropertyDescription(
            "Prefix, as an IPv6 CIDR of the length 96, that your NAT64 translates. The last 32 bits"
                + " of an address are the IPv4 address. Default: 64:ff9b::/96, which RFC 6052 names.")
        String prefix,
    @Size(max = 3)
        @JsonPropertyDescription(
            "IPv6 addresses of resolvers with DNS64. Pods without cluster DNS, and the cluster DNS"
                + " itself, ask them. Default: the resolvers of the host, which must have DNS64.")
        List<@Size(max = 64) String> resolvers) {
  private static final String WELL_KNOWN = "64:ff9b::/96";

  /** The prefix, with the default filled in. */
  public String translated() {
    return Objects.requireNonNullElse(prefix, WELL_KNOWN);
  }
}
