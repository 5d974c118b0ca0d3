// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Whose pods are replaced. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "(self.component == 'Store') == has(self.store)",
    message =
        "restart.store: must be set if restart.component is Store, and only then; set the name of"
            + " one of the stores of the ControlPlane, or remove the field")
public record TaskRestartSpec(
    @Required
        @JsonPropertyDescription(
            "The component whose pods are replaced one by one, each after the one before"
                + " has settled. KubeAPIServer: all kube-apiservers. KubeControllerManager: all"
                + " kube-controller-managers. KubeScheduler: all kube-schedulers of Kubernetes."
                + " Store: the one pod of restart.store, which takes no writes for some seconds.")
        TaskComponent component,
    @Size(min = 1, max = 20)
        @JsonPropertyDescription(
            "Name of the store, as in spec.storage.stores, for example events. The"
                + " component Store needs a name, and others refuse one. Default: none.")
        String store) {}
