// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Where a host reads which prefix the provider leads to it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.file) != has(self.metadataURL)",
    message = "addresses.delegated: needs either file or metadataURL; set one of the two")
@ValidationRule(
    value = "!has(self.metadataSession) || has(self.metadataURL)",
    message =
        "addresses.delegated.metadataSession: belongs to metadataURL, which is not set; remove the"
            + " field")
public record NodeDelegatedSpec(
    @Size(max = 256)
        @Pattern("^/[A-Za-z0-9._/-]+$")
        @JsonPropertyDescription(
            "File on the host with the prefix, one IPv6 CIDR on each line, for example"
                + " /etc/exaplane/prefix. A DHCPv6 client can write the file. Set the file or"
                + " metadataURL. Default: none.")
        String file,
    @Size(max = 512)
        @Pattern("^http://[A-Za-z0-9.:\\[\\]-]+/[A-Za-z0-9._~{}/-]*$")
        @JsonPropertyDescription(
            "URL of the provider's metadata service, of which the host reads the prefix. {mac}"
                + " stands for the MAC address of the interface. Example, for AWS:"
                + " http://[fd00:ec2::254]/latest/meta-data/network/interfaces/macs/{mac}/ipv6-prefix"
                + " together with the metadataSession IMDSv2. Set the URL or the file. Default:"
                + " none.")
        String metadataURL,
    @JsonPropertyDescription(
            "IMDSv2: the host first asks the metadata service for a session token, as AWS"
                + " wants. None: the host asks without a token. Default: None.")
        MetadataSession metadataSession) {}
