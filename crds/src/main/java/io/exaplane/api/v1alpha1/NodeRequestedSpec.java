// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;

/** What a host asks its DHCPv6 server for. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.hostAddress) || self.hostAddress != 'FromPrefix' || has(self.length)",
    message =
        "addresses.requested.length: is needed if hostAddress is FromPrefix, since the host's own"
            + " address lies beside the prefix of its pods; set a length that is shorter than"
            + " podPrefixLength, for example 64")
public record NodeRequestedSpec(
    @Min(32)
        @Max(112)
        @JsonPropertyDescription(
            "Length, in bits, of the prefix that each host asks for, for example 64. Pods get a part of it if"
                + " podPrefixLength is longer. A server may delegate a prefix of another length."
                + " Default: podPrefixLength.")
        Integer length,
    @JsonPropertyDescription(
            "The address of the host itself. Own: the one that the host has without the prefix."
                + " FromPrefix: the first address of the delegated prefix, as RFC 9663 describes; the"
                + " host then honours the flag P of router advertisements (RFC 9762), and makes itself"
                + " no address in a network that has the flag. Default: Own.")
        HostAddress hostAddress) {}
