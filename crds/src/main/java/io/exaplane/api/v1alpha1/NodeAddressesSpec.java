// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** Where a node's pods get their addresses if each host brings its own. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.prefixes.all(c, isCIDR(c) && cidr(c).ip().family() == 6)",
    messageExpression =
        "'addresses.prefixes ' + self.prefixes.filter(c, !isCIDR(c) || cidr(c).ip().family() !="
            + " 6)[0] + ': must be an IPv6 CIDR, for example 2001:db8:1::/48, since pods of such"
            + " nodes have IPv6 addresses; write the IPv6 network that the hosts get their prefixes"
            + " from'",
    message =
        "addresses.prefixes: each must be an IPv6 CIDR, for example 2001:db8:1::/48, since pods of"
            + " such nodes have IPv6 addresses; write the IPv6 network that the hosts get their"
            + " prefixes from")
@ValidationRule(
    value = "!self.prefixes.all(c, isCIDR(c)) || self.prefixes.all(c, cidr(c) == cidr(c).masked())",
    message =
        "addresses.prefixes: must have no bits behind its length; write the first address of the"
            + " network, for example 2001:db8:1::/48")
@ValidationRule(
    value =
        "!self.prefixes.all(c, isCIDR(c)) || self.prefixes.all(a, self.prefixes.exists_one(b,"
            + " cidr(a).containsCIDR(b) || cidr(b).containsCIDR(a)))",
    message = "addresses.prefixes: two of them overlap; remove the one that the other one contains")
@ValidationRule(
    value =
        "!self.prefixes.all(c, isCIDR(c)) || self.prefixes.all(c, cidr(c).prefixLength() <="
            + " self.podPrefixLength)",
    message =
        "addresses.podPrefixLength: must be equal to or longer than the length of each of prefixes,"
            + " since a node's prefix lies in one of them; set a longer one")
@ValidationRule(
    value = "(self.source == 'DelegatedPrefix') == has(self.delegated)",
    message =
        "addresses.delegated: belongs to the source DelegatedPrefix, which needs it; set both or"
            + " neither")
@ValidationRule(
    value =
        "self.source != 'RequestedPrefix' || !has(self.neighborDiscovery) ||"
            + " self.neighborDiscovery == 'None'",
    message =
        "addresses.neighborDiscovery: must be None if source is RequestedPrefix, since who"
            + " delegates a prefix routes the prefix to the host; remove the field")
@ValidationRule(
    value = "!has(self.requested) || self.source == 'RequestedPrefix'",
    message =
        "addresses.requested: belongs to the source RequestedPrefix; remove the field, or create a"
            + " new NodePool with that source")
@ValidationRule(
    value =
        "!has(self.requested) || !has(self.requested.length) || self.requested.length <"
            + " self.podPrefixLength || (self.requested.length == self.podPrefixLength &&"
            + " (!has(self.requested.hostAddress) || self.requested.hostAddress == 'Own'))",
    message =
        "addresses.requested.length: must not be longer than podPrefixLength, and must be shorter"
            + " if hostAddress is FromPrefix; set a shorter one")
@ValidationRule(
    value =
        "!has(self.requested) || !has(self.requested.length) || !self.prefixes.all(c, isCIDR(c)) ||"
            + " self.prefixes.exists(c, cidr(c).prefixLength() <= self.requested.length)",
    message =
        "addresses.requested.length: must be equal to or longer than the length of one of prefixes,"
            + " since what a host gets lies in one of them; set a longer one")
@ValidationRule(
    value =
        "self.source != 'HostPrefix' || !self.prefixes.all(c, isCIDR(c)) || self.prefixes.all(c,"
            + " cidr(c).prefixLength() < self.podPrefixLength)",
    message =
        "addresses.podPrefixLength: must be longer than the length of each of prefixes if source is"
            + " HostPrefix, since pods get a part of the host's network; set a longer one")
public record NodeAddressesSpec(
    @Required
        @JsonPropertyDescription(
            "StaticPrefix: each host was given a whole prefix, which the join script gets by"
                + " --prefix or finds. HostPrefix: pods get a part of the network of the host's own"
                + " address. DelegatedPrefix: the provider leads a prefix to the host, and"
                + " delegated says where the host reads it. RequestedPrefix: the host keeps the"
                + " DHCPv6 client dhcpcd, which asks for a prefix. Immutable.")
        AddressSource source,
    @Required
        @Size(min = 1, max = 16)
        @JsonPropertyDescription(
            "Networks that the prefixes of the nodes lie in, as IPv6 CIDRs, for example"
                + " [2001:db8:4::/48]. None contains another. Immutable.")
        List<@Size(max = 64) String> prefixes,
    @Required
        @Min(64)
        @Max(120)
        @JsonPropertyDescription(
            "Length, in bits, of the prefix that the pods of one node get. A /112 has 65,536"
                + " addresses. Immutable.")
        Integer podPrefixLength,
    @JsonPropertyDescription(
            "Where a host reads its prefix. Only with source DelegatedPrefix, which needs it.")
        NodeDelegatedSpec delegated,
    @JsonPropertyDescription(
            "The request of a host to its DHCPv6 server. Only with source RequestedPrefix."
                + " Immutable. Example: {length: 64, hostAddress: FromPrefix}. Default: a prefix of"
                + " podPrefixLength.")
        NodeRequestedSpec requested,
    @JsonPropertyDescription(
            "The host's answer to a router that asks on the link for each address of a pod. None:"
                + " no answer, for a prefix that is routed to the host. KernelProxy: by the kernel."
                + " Ndppd: by the daemon ndppd. Auto: each host tests its prefix before it joins,"
                + " takes KernelProxy if the prefix is on the link and None if it is routed, and"
                + " reports which one it is: status.prefixes counts them. Default: None.")
        NeighborDiscovery neighborDiscovery,
    @Pattern("^[A-Za-z0-9._-]{1,15}$")
        @JsonPropertyDescription(
            "Interface of the host, for example eth0: the prefix is looked for there, and all"
                + " packets of pods leave by this interface, with its MAC address. Default: the"
                + " kernel's routes decide.")
        String interfaceName) {}
