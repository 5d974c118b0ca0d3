// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** What the user asks of a control plane. Only {@code version} and {@code maxNodes} are needed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "has(self.network) == has(oldSelf.network) && (!has(self.network) || self.network == oldSelf.network)",
    message =
        "network: is immutable; every node and Service already uses it, make a new ControlPlane"
            + " instead")
@ValidationRule(
    value =
        "has(self.storage) || !has(oldSelf.storage) || !has(oldSelf.storage.stores) &&"
            + " !has(oldSelf.storage.routes)",
    message =
        "storage: stores and routes are immutable but for resources and memory of stores; objects of a Kind"
            + " that is routed elsewhere would vanish, make a new ControlPlane instead")
public record ControlPlaneSpec(
    @Required
        @Size(max = 16)
        @Pattern("^1\\.[0-9]{1,3}\\.[0-9]{1,3}$")
        @JsonPropertyDescription(
            "Kubernetes version of the control plane, as 1.36.3. Can be raised by patch or by one"
                + " minor; the apiservers change first, one at a time, then the rest.")
        String version,
    @Required
        @Min(1)
        @Max(1_000_000)
        @JsonPropertyDescription(
            "The largest number of nodes that the control plane is made for. By it the tuning model"
                + " chooses flags, memory, flow schemas and, when the control plane is made, which Kinds"
                + " have stores of their own; checked against the pod CIDRs.")
        Integer maxNodes,
    @JsonPropertyDescription(
            "What else the tuning model is told, and when a change of maxNodes counts.")
        SizingSpec sizing,
    @JsonPropertyDescription("Addresses of the hosted cluster. Immutable.") NetworkSpec network,
    @JsonPropertyDescription("Where clients and nodes reach the API.") EndpointSpec endpoint,
    @Default("{}") @JsonPropertyDescription("The kube-apiservers.") ApiServerSpec apiServer,
    @JsonPropertyDescription("The kube-controller-managers, of which one leads.")
        ControllerManagerSpec controllerManager,
    @JsonPropertyDescription("The kube-schedulers, of which one leads.") SchedulerSpec scheduler,
    @JsonPropertyDescription("Who places pods. Default: kube-scheduler.") SchedulingSpec scheduling,
    @JsonPropertyDescription(
            "The stores, which Kinds live where, and what happens to their data. Stores and routes are immutable"
                + " but for resources and memory of stores.")
        StorageSpec storage,
    @JsonPropertyDescription("Certificates.") PkiSpec pki,
    @JsonPropertyDescription("Where images come from.") ImagesSpec images,
    @Size(max = 40)
        @Pattern(
            "^(true|false|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}))$")
        @JsonPropertyDescription(
            "Pauses reconciliation until this RFC 3339 time, or for good with \"true\". What runs"
                + " goes on running; the condition ReconciliationActive shows it.")
        String pausedUntil,
    @Default("true")
        @JsonPropertyDescription(
            "Whether deleting the ControlPlane, or one of its StoreShards, is refused until its annotation"
                + " exaplane.io/allow-deletion is its own name. The deletion of the namespace is not refused.")
        Boolean deletionProtection) {

  /** The same for another number of nodes, with these stores. */
  public ControlPlaneSpec with(int maxNodes, StorageSpec storage) {
    return new ControlPlaneSpec(
        version,
        maxNodes,
        sizing,
        network,
        endpoint,
        apiServer,
        controllerManager,
        scheduler,
        scheduling,
        storage,
        pki,
        images,
        pausedUntil,
        deletionProtection);
  }
}
