// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.ResourceRequirements;

/** What is asked of a store. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.engine == oldSelf.engine",
    message =
        "engine: is immutable; the engines keep their data in different forms, make a new StoreShard")
@ValidationRule(
    value =
        "has(self.storage) == has(oldSelf.storage) && (!has(self.storage) || self.storage =="
            + " oldSelf.storage)",
    message = "storage: is immutable; the data would be lost, make a new StoreShard")
@ValidationRule(
    value = "!has(self.memory) || self.engine == 'Memory'",
    message = "memory: is for the engine Memory only; remove it or make a store of that engine")
@ValidationRule(
    value =
        "self.criticality == 'BestEffort' || !has(self.memory) || (!has(self.memory.durability) ||"
            + " self.memory.durability != 'Memory')",
    message =
        "memory.durability: Memory is for BestEffort stores only, since a restart empties them;"
            + " choose Buffered or Fsync")
@ValidationRule(
    value =
        "self.criticality == 'BestEffort' || !has(self.memory) || !has(self.memory.prefixes) ||"
            + " self.memory.prefixes.all(p, !has(p.durability) || p.durability != 'Memory' ||"
            + " p.prefix.startsWith('/registry/events/') || p.prefix.startsWith('/registry/leases/'))",
    message =
        "memory.prefixes: in a Critical store Memory is for /registry/events/ and /registry/leases/"
            + " only, since a restart loses such keys; choose Buffered or Fsync")
public record StoreShardSpec(
    @Default("Memory")
        @JsonPropertyDescription(
            "What serves the store: Memory, our own etcd v3 in memory with a journal, or Etcd, a real"
                + " one. Immutable.")
        StoreEngine engine,
    @JsonPropertyDescription("Settings of the engine Memory.") MemoryEngineSpec memory,
    @Default("Critical") @JsonPropertyDescription("How much its user depends on it.")
        Criticality criticality,
    @JsonPropertyDescription("Where the data is kept. Immutable. Default: EmptyDir.")
        VolumeSpec storage,
    @Required @JsonPropertyDescription("The store's server certificate, and the CA of its clients.")
        StoreTls tls,
    @JsonPropertyDescription("Requests and limits of the container, as in a pod.")
        ResourceRequirements resources,
    @JsonPropertyDescription("Where the image comes from.") ImagesSpec images) {}
