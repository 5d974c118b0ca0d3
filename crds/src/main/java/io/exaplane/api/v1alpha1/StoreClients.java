// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** The clients of its CA that a store accepts, by one of two kinds of name. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.commonNames) != has(self.hostnames)",
    message = "allowedClients: needs either commonNames or hostnames; set one of the two")
public record StoreClients(
    @Size(min = 1, max = 32)
        @JsonPropertyDescription(
            "Common names of client certificates, for example backup. For the engine Memory only:"
                + " etcd has no such flag.")
        List<@Size(max = 64) @Pattern("^[A-Za-z0-9]([A-Za-z0-9._:@/ -]*[A-Za-z0-9])?$") String>
            commonNames,
    @Size(min = 1, max = 32)
        @JsonPropertyDescription(
            "DNS names and IP addresses, one of which a client certificate must be valid for, for"
                + " example backup.example. For both engines.")
        List<@Size(max = 253) @Pattern("^[A-Za-z0-9:]([A-Za-z0-9.:-]*[A-Za-z0-9:])?$") String>
            hostnames) {}
