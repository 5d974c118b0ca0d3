// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** Addresses of the hosted cluster. IPv6 first: alone, or with IPv4 as the second family. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.ipFamilies) || self.ipFamilies[0] == 'IPv6'",
    message =
        "network.ipFamilies: the first family must be IPv6; use [IPv6], or [IPv6, IPv4] for dual"
            + " stack")
@ValidationRule(
    value =
        "!has(self.ipFamilies) || size(self.ipFamilies) == 1 || self.ipFamilies[1] !="
            + " self.ipFamilies[0]",
    message = "network.ipFamilies: contains a family twice; use [IPv6] or [IPv6, IPv4]")
@ValidationRule(
    value = "!has(self.serviceCIDRs) || self.serviceCIDRs.all(c, isCIDR(c))",
    message = "network.serviceCIDRs: each must be a CIDR, for example fd00:0:0:1226::/112")
@ValidationRule(
    value = "!has(self.podCIDRs) || self.podCIDRs.all(c, isCIDR(c))",
    message = "network.podCIDRs: each must be a CIDR, for example fd00:1226::/48")
@ValidationRule(
    value = "!has(self.nodeCIDRs) || self.nodeCIDRs.all(c, isCIDR(c))",
    message = "network.nodeCIDRs: each must be a CIDR, for example 2001:db8:1::/48")
@ValidationRule(
    value =
        "!has(self.serviceCIDRs) || !self.serviceCIDRs.all(c, isCIDR(c)) ||"
            + " self.serviceCIDRs.map(c, cidr(c).ip().family() == 6 ? 'IPv6' : 'IPv4') =="
            + " (has(self.ipFamilies) ? self.ipFamilies : ['IPv6'])",
    message =
        "network.serviceCIDRs: needs one CIDR for each of ipFamilies, in the same order, and "
            + "IPv4 alone is not supported; put an IPv6 CIDR first")
@ValidationRule(
    value =
        "!has(self.podCIDRs) || !self.podCIDRs.all(c, isCIDR(c)) ||"
            + " self.podCIDRs.map(c, cidr(c).ip().family() == 6 ? 'IPv6' : 'IPv4') =="
            + " (has(self.ipFamilies) ? self.ipFamilies : ['IPv6'])",
    message =
        "network.podCIDRs: needs one CIDR for each of ipFamilies, in the same order, and IPv4 "
            + "alone is not supported; put an IPv6 CIDR first")
@ValidationRule(
    value =
        "!has(self.serviceCIDRs) || !self.serviceCIDRs.all(c, isCIDR(c)) ||"
            + " self.serviceCIDRs.all(c, cidr(c).prefixLength() >= (cidr(c).ip().family() == 6 ?"
            + " 108 : 12))",
    message =
        "network.serviceCIDRs: is too large, since kube-apiserver accepts at most 20 bits for "
            + "Services; use a prefix of /108 or longer for IPv6, /12 or longer for IPv4")
@ValidationRule(
    value =
        "!has(self.podCIDRs) || !self.podCIDRs.all(c, isCIDR(c)) || self.podCIDRs.all(c,"
            + " cidr(c).ip().family() == 4 ? cidr(c).prefixLength() <= 24 && cidr(c).prefixLength()"
            + " >= 8 : cidr(c).prefixLength() <= 64 && cidr(c).prefixLength() >= 48)",
    message =
        "network.podCIDRs: each node gets a /64 of an IPv6 CIDR and a /24 of an IPv4 CIDR, at most"
            + " 65536 of them; use /48 to /64, or /8 to /24")
@ValidationRule(
    value =
        "!has(self.serviceCIDRs) || !has(self.podCIDRs) || !self.serviceCIDRs.all(c, isCIDR(c)) ||"
            + " !self.podCIDRs.all(c, isCIDR(c)) || self.serviceCIDRs.all(s, self.podCIDRs.all(p,"
            + " !cidr(s).containsCIDR(p) && !cidr(p).containsCIDR(s)))",
    message =
        "network: serviceCIDRs and podCIDRs overlap, and a Service and a pod could get the "
            + "same address; choose CIDRs that do not contain each other")
public record NetworkSpec(
    @Size(min = 1, max = 2)
        @JsonPropertyDescription(
            "IP families of Services and pods, the first one first. IPv6: must be the"
                + " first. IPv4: may be the second, for dual stack. Default: [IPv6].")
        List<IpFamily> ipFamilies,
    @Size(min = 1, max = 2)
        @JsonPropertyDescription(
            "Addresses of Services, one CIDR for each family, for example"
                + " [fd00:10:96::/112]. Default: fd00:0:0:1226::/112 and, if IPv4 is the second"
                + " family, 10.226.0.0/16.")
        List<@Size(max = 64) String> serviceCIDRs,
    @Size(min = 1, max = 2)
        @JsonPropertyDescription(
            "CIDRs of the addresses of pods, for example [2001:db8:3::/48]; each node gets"
                + " a part. Default: none, and each node brings its own prefix.")
        List<@Size(max = 64) String> podCIDRs,
    @Size(min = 1, max = 16)
        @JsonPropertyDescription(
            "CIDRs of the nodes' own addresses, for example [2001:db8:2::/48]. A kubelet"
                + " gets a serving certificate for no other address. You can add and change this"
                + " field later; nothing restarts. Default: a node of a"
                + " NodePool with the source HostPrefix, or with hostAddress FromPrefix, must"
                + " have an address of the pool's prefixes. If all NodePools are such, a node"
                + " without a NodePool must have one, too. Every other node may have an address"
                + " that is no Service's, pod's, other node's or the API's; ConfigurationValid"
                + " then has the reason NodeAddressesUnproven.")
        List<@Size(max = 64) String> nodeCIDRs,
    @Size(max = 253)
        @Pattern("^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$")
        @JsonPropertyDescription("DNS domain of the cluster's Services. Default: cluster.local.")
        String clusterDomain) {

  /** The families in order, with the default filled in. */
  public static List<IpFamily> ipFamilies(NetworkSpec network) {
    return network == null || network.ipFamilies == null
        ? List.of(IpFamily.IPv6)
        : network.ipFamilies;
  }

  /** The Service CIDRs, one a family in order, with the default filled in. */
  public static List<String> serviceCIDRs(NetworkSpec network) {
    if (network != null && network.serviceCIDRs != null) {
      return network.serviceCIDRs;
    }
    return ipFamilies(network).stream()
        .map(family -> family == IpFamily.IPv6 ? "fd00:0:0:1226::/112" : "10.226.0.0/16")
        .toList();
  }

  /** The pod CIDRs; empty when nodes bring their own prefixes. */
  public static List<String> podCIDRs(NetworkSpec network) {
    return network == null || network.podCIDRs == null ? List.of() : network.podCIDRs;
  }

  /** Where nodes are; empty when nothing is said of it. */
  public static List<String> nodeCIDRs(NetworkSpec network) {
    return network == null || network.nodeCIDRs == null ? List.of() : network.nodeCIDRs;
  }

  /** The DNS domain, with the default filled in. */
  public static String clusterDomain(NetworkSpec network) {
    return network == null || network.clusterDomain == null
        ? "cluster.local"
        : network.clusterDomain;
  }
}
