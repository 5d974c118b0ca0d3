// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** Which resources move, and where. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "self.resources.all(x, self.resources.exists_one(y, y.group == x.group && y.resource =="
            + " x.resource))",
    message = "reshard.resources: a resource is listed twice; keep it once")
public record TaskReshardSpec(
    @Required
        @Size(min = 1, max = 8)
        @JsonPropertyDescription(
            "Built-in resources, for example leases of coordination.k8s.io. They move one after the other."
                + " Events and resources of CustomResourceDefinitions do not move.")
        List<ResourceRef> resources,
    @Required
        @Size(min = 1, max = 20)
        @Pattern("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$")
        @JsonPropertyDescription(
            "Name of the store that gets the resources, as in spec.storage.stores of the ControlPlane."
                + " Both stores have the engine Memory and a PersistentVolume.")
        String toStore) {}
