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
public record StoreShardSpec(
    @Default("Etcd") @JsonPropertyDescription("What serves the store.") StoreEngine engine,
    @Default("Critical") @JsonPropertyDescription("How much its user depends on it.")
        Criticality criticality,
    @JsonPropertyDescription("Where the data is kept. Immutable. Default: EmptyDir.")
        VolumeSpec storage,
    @Required @JsonPropertyDescription("The store's server certificate, and the CA of its clients.")
        StoreTls tls,
    @JsonPropertyDescription("Requests and limits of the container, as in a pod.")
        ResourceRequirements resources,
    @JsonPropertyDescription("Where the image comes from.") ImagesSpec images) {}
