// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;

/** Settings of a store of the engine Memory. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.prefixes) || self.prefixes.all(p, self.prefixes.exists_one(q, q.prefix =="
            + " p.prefix))",
    message = "memory.prefixes: the same prefix is there twice; keep one of them")
@ValidationRule(
    value =
        "!has(self.quota) || quantity(string(self.quota)).compareTo(quantity('16Mi')) >= 0 &&"
            + " quantity(string(self.quota)).compareTo(quantity('1Ti')) <= 0",
    message =
        "memory.quota: must be 16Mi to 1Ti; a control plane without nodes takes some, and larger"
            + " than the container's memory it has no effect")
public record MemoryEngineSpec(
    @JsonPropertyDescription(
            "What an acknowledged write survives. Default: Fsync for a Critical store, Buffered for a"
                + " BestEffort one.")
        StoreDurability durability,
    @JsonPropertyDescription(
            "New versions are refused when those that are kept take so much, until deletions and"
                + " compaction make room. Never more than the container's memory allows, which is the"
                + " default; by default not more than a third of the volume's size either.")
        Quantity quota,
    @Size(max = 16)
        @JsonPropertyDescription(
            "Other settings for keys with certain prefixes; the longest that fits counts.")
        List<StorePrefix> prefixes) {}
