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
    value = "!has(self.quota) || quantity(string(self.quota)).compareTo(quantity('16Mi')) >= 0",
    message = "memory.quota: must be at least 16Mi; a control plane without nodes takes some")
public record MemoryEngineSpec(
    @JsonPropertyDescription(
            "What an acknowledged write survives. Default: Fsync for a Critical store, Buffered for a"
                + " BestEffort one.")
        StoreDurability durability,
    @JsonPropertyDescription(
            "New versions are refused when those that are kept take so much, until deletions and"
                + " compaction make room. Default: what the container's memory allows.")
        Quantity quota,
    @Size(max = 16)
        @JsonPropertyDescription(
            "Other settings for keys with certain prefixes; the longest that fits counts.")
        List<StorePrefix> prefixes) {}
