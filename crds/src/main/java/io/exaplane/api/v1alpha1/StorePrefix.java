// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Settings for the keys with a prefix. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.durability) || has(self.quota) || has(self.history)",
    message =
        "memory.prefixes: says nothing about its keys; set durability, quota or history, or remove it")
public record StorePrefix(
    @Required
        @Size(min = 2, max = 200)
        @Pattern("^/[A-Za-z0-9._/-]+/$")
        @JsonPropertyDescription("The prefix, as /registry/events/.")
        String prefix,
    @JsonPropertyDescription("What an acknowledged write of these keys survives.")
        StoreDurability durability,
    @Pattern(MemoryEngineSpec.SIZE)
        @JsonPropertyDescription(
            "New versions of these keys are refused when they take so much, as 512Mi or 2Gi.")
        String quota,
    @Pattern("^([3-9][0-9]s|[1-9][0-9]{2,4}s|[1-9][0-9]{0,4}(m|h))$")
        @JsonPropertyDescription(
            "How long versions of these keys that others replaced can be asked for, as 1m, at least"
                + " 30s, if the store was not compacted above them before; then all but 8 bytes of"
                + " them go. A client that goes on from an older revision lists anew: choose longer"
                + " than it takes one to list all of these keys.")
        String history) {}
