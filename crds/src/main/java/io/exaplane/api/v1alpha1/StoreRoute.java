// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Resources that live in one store. */
public record StoreRoute(
    @Required @Size(min = 1, max = 20) @JsonPropertyDescription("Name of one of storage.stores.")
        String store,
    @Required
        @Size(min = 1, max = 20)
        @JsonPropertyDescription(
            "Built-in resources. You cannot route resources of CustomResourceDefinitions and "
                + "aggregated APIs: kube-apiserver keeps them in the default store.")
        List<ResourceRef> resources) {}
