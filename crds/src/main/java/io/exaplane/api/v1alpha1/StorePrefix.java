// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** Settings for the keys with a prefix. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.durability) || has(self.quota)",
    message = "memory.prefixes: says nothing about its keys; set durability or quota, or remove it")
@ValidationRule(
    value =
        "!has(self.quota) || quantity(string(self.quota)).compareTo(quantity('1Mi')) >= 0 &&"
            + " quantity(string(self.quota)).compareTo(quantity('1Ti')) <= 0",
    message = "memory.prefixes: quota must be 1Mi to 1Ti; correct it")
public record StorePrefix(
    @Required
        @Size(min = 2, max = 200)
        @Pattern("^/[A-Za-z0-9._/-]+/$")
        @JsonPropertyDescription("The prefix, as /registry/events/.")
        String prefix,
    @JsonPropertyDescription("What an acknowledged write of these keys survives.")
        StoreDurability durability,
    @JsonPropertyDescription("New versions of these keys are refused when they take so much.")
        Quantity quota) {}
