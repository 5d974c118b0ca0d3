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
        "memory.prefixes: an entry sets nothing; set durability, quota or history, or remove "
            + "the entry")
public record StorePrefix(
    @Required
        @Size(min = 2, max = 200)
        @Pattern("^/[A-Za-z0-9._/-]+/$")
        @JsonPropertyDescription("The prefix, for example /registry/events/.")
        String prefix,
    @JsonPropertyDescription(
            "Failures that an acknowledged write of these keys survives. Memory: none,"
                + " since the write is in memory only. Buffered: the end of the process, but not"
                + " of the machine. Fsync: loss of power, if the volume survives it. Default: the"
                + " durability of the store.")
        StoreDurability durability,
    @Pattern(MemoryEngineSpec.SIZE)
        @JsonPropertyDescription(
            "Largest size of all versions of these keys, for example 512Mi or 2Gi. Above"
                + " it the store refuses new versions. Default: the quota of the store alone.")
        String quota,
    @Pattern("^([3-9][0-9]s|[1-9][0-9]{2,4}s|[1-9][0-9]{0,4}(m|h))$")
        @JsonPropertyDescription(
            "Time for which replaced versions of these keys remain readable, for example 1m, at"
                + " least 30s, unless a compaction removes them earlier. Afterwards the store keeps"
                + " 8 bytes of each. A client that continues from an older revision must list"
                + " again, so choose a longer time than a client needs to list all of these keys.")
        String history) {}
