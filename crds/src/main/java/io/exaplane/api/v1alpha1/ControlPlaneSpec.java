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
import java.util.List;

/** What the user asks of a control plane. Only {@code version} and {@code maxNodes} are needed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(oldSelf.pki) || !has(oldSelf.pki.adminKubeconfigRevision) || has(self.pki) &&"
            + " has(self.pki.adminKubeconfigRevision) &&"
            + " self.pki.adminKubeconfigRevision >= oldSelf.pki.adminKubeconfigRevision",
    message =
        "pki.adminKubeconfigRevision: must not decrease, since kubeconfigs of a lower number would "
            + "work again; choose a higher number")
@ValidationRule(
    value =
        "!has(self.pki) || !has(self.pki.rotation) || !has(self.pki.rotation.encryptionKey) ||"
            + " has(self.encryption)",
    message =
        "pki.rotation.encryptionKey: needs encryption, since without it there is no key; remove the"
            + " field, or add encryption")
@ValidationRule(value = NetworkRules.FIXED, message = NetworkRules.FIXED_RULE)
@ValidationRule(value = ReservedNames.ADDED_STORES, message = ReservedNames.STORES_RULE)
@ValidationRule(
    value =
        "has(self.storage) || !has(oldSelf.storage) || !has(oldSelf.storage.stores) &&"
            + " !has(oldSelf.storage.routes)",
    message =
        "storage: existing stores and routes can't be removed, since their objects would vanish;"
            + " restore them")
@ValidationRule(
    value =
        "!has(self.addons) || self.addons.all(a, !has(a.dependsOn) || a.dependsOn.all(d,"
            + " self.addons.exists(b, b.name == d)))",
    message =
        "addons: dependsOn contains a name that no source of addons has; add that source, or remove"
            + " the name")
@ValidationRule(
    value =
        "!has(self.addons) || self.addons.all(a, !has(a.builtIn) || self.addons.exists_one(b,"
            + " has(b.builtIn) && b.builtIn == a.builtIn))",
    message =
        "addons: two sources have the same builtIn, and each would change the objects of the other;"
            + " keep one")
@ValidationRule(
    value =
        "!has(self.rollout) || !has(self.rollout.maxSurge) || self.rollout.maxSurge <= 1 ||"
            + " self.rollout.maxSurge < "
            + ControlPlaneSpec.SERVERS,
    messageExpression =
        "'rollout.maxSurge ' + "
            + ControlPlaneSpec.AMOUNTS
            + "[self.rollout.maxSurge] + ': must be less than apiServer.replicas ' + "
            + ControlPlaneSpec.AMOUNTS
            + "["
            + ControlPlaneSpec.SERVERS
            + "] + ', or 1, since each new kube-apiserver reads the whole content of the stores;"
            + " lower the value'",
    message =
        "rollout.maxSurge: must be less than apiServer.replicas, or 1, since each new"
            + " kube-apiserver reads the whole content of the stores; lower the value")
@ValidationRule(
    value =
        "!has(self.rollout) || !has(self.rollout.maxUnavailable) || self.rollout.maxUnavailable =="
            + " 0 || self.rollout.maxUnavailable < "
            + ControlPlaneSpec.SERVERS,
    messageExpression =
        "'rollout.maxUnavailable ' + "
            + ControlPlaneSpec.AMOUNTS
            + "[self.rollout.maxUnavailable] + ': must be less than apiServer.replicas ' + "
            + ControlPlaneSpec.AMOUNTS
            + "["
            + ControlPlaneSpec.SERVERS
            + "] + ', since no kube-apiserver would serve; lower the value or add replicas'",
    message =
        "rollout.maxUnavailable: must be less than apiServer.replicas, since no kube-apiserver"
            + " would serve; lower the value or add replicas")
public record ControlPlaneSpec(
    @Required
        @Size(max = 16)
        @Pattern("^1\\.[0-9]{1,3}\\.[0-9]{1,3}$")
        @JsonPropertyDescription(
            "Kubernetes version of the control plane, for example 1.37.2. You can raise it by patch"
                + " or by one minor version. The apiservers change first, one at a time, then the"
                + " other components.")
        String version,
    @Required
        @Min(1)
        @Max(1_000_000)
        @JsonPropertyDescription(
            "Largest number of nodes that the control plane is sized for. The tuning model uses it"
                + " to choose flags, memory and flow schemas and, at creation, the Kinds with"
                + " separate stores. The pod CIDRs must have room for this number.")
        Integer maxNodes,
    @JsonPropertyDescription(
            "More input for the tuning model, and the delays before a change of maxNodes takes "
                + "effect.")
        SizingSpec sizing,
    @JsonPropertyDescription("Addresses of the hosted cluster. Immutable, except for nodeCIDRs.")
        NetworkSpec network,
    @JsonPropertyDescription("How clients and nodes reach the API.") EndpointSpec endpoint,
    @Default("{}")
        @JsonPropertyDescription(
            "The kube-apiservers: their number, resources, flags and overrides of the"
                + " tuning model.")
        ApiServerSpec apiServer,
    @JsonPropertyDescription("The kube-controller-managers; one of them leads.")
        ControllerManagerSpec controllerManager,
    @JsonPropertyDescription("The kube-schedulers; one of them leads.") SchedulerSpec scheduler,
    @JsonPropertyDescription("The scheduler that places pods. Default: kube-scheduler.")
        SchedulingSpec scheduling,
    @JsonPropertyDescription(
            "The stores, the routes of Kinds to stores, and the handling of their data. You can add"
                + " stores, and change resources and memory of stores. A ControlPlaneTask changes"
                + " routes.")
        StorageSpec storage,
    @JsonPropertyDescription(
            "Certificates of the control plane: how long they are valid, and rotations of"
                + " keys.")
        PkiSpec pki,
    @JsonPropertyDescription(
            "Encryption of objects in the stores, by a key that the operator creates and keeps in"
                + " the Secret NAME-encryption. Back up that Secret: without it, encrypted objects"
                + " and their snapshots are unreadable. You can add, change and remove this field"
                + " on a running control plane. See docs/certificates.md. Default: nothing is"
                + " encrypted.")
        EncryptionSpec encryption,
    @JsonPropertyDescription("Registry and pull secret of images.") ImagesSpec images,
    @Size(max = 40)
        @Pattern(
            "^(true|false|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}))$")
        @JsonPropertyDescription(
            "Pauses reconciliation until this RFC 3339 time, or for good with \"true\"."
                + " Running components continue; the condition ReconciliationActive shows the"
                + " pause. For example 2026-12-01T06:00:00Z. Default: not paused.")
        String pausedUntil,
    @Default("true")
        @JsonPropertyDescription(
            "Refuses to delete the ControlPlane or one of its StoreShards until the"
                + " annotation exaplane.io/allow-deletion of the object equals its name. Does not"
                + " refuse the deletion of the namespace. Default: true.")
        Boolean deletionProtection,
    @JsonPropertyDescription(
            "Accepts, at creation, names that objects of another owner can have, for a control"
                + " plane that had them before and is restored. The operator still refuses to touch"
                + " an object of another owner. Default: false.")
        Boolean allowReservedName,
    @JsonPropertyDescription(
            "Restarts of components after outages: delay, budget and pace. The stores get the same."
                + " See docs/restarts.md for what binds the operator and what the kubelet.")
        RestartSpec restart,
    @JsonPropertyDescription(
            "How pods of components are replaced: the bundle that they are made of, when the next"
                + " one follows, and when a rollout stops. See docs/rollouts.md.")
        ControlPlaneRolloutSpec rollout,
    @JsonPropertyDescription(
            "Times at which the operator moves pods to its own bundle if spec.rollout.bundle is not"
                + " set. Without it, only spec.rollout.bundle moves them.")
        MaintenanceSpec maintenance,
    @JsonPropertyDescription(
            "When the operator stops kube-controller-manager from declaring nodes dead. See"
                + " docs/guard.md.")
        GuardSpec guard,
    @Size(max = 32)
        @JsonPropertyDescription(
            "Sources of objects that the operator keeps in the hosted cluster. Each has a name, and"
                + " objects inline, in a ConfigMap, a Secret, an OCI artifact or a Git repository,"
                + " or is built in. See docs/addons.md.")
        List<AddonSpec> addons) {
  /** As texts, up to the most replicas: string() has no bound that the API server accepts. */
  static final String AMOUNTS =
      "['0','1','2','3','4','5','6','7','8','9','10','11','12','13','14','15','16']";

  static final String SERVERS =
      "(has(self.apiServer) && has(self.apiServer.replicas) ? self.apiServer.replicas : 2)";

  /** The same with so many kube-apiservers. */
  public ControlPlaneSpec withApiServers(int replicas) {
    return new ControlPlaneSpec(
        version,
        maxNodes,
        sizing,
        network,
        endpoint,
        ApiServerSpec.with(apiServer, replicas),
        controllerManager,
        scheduler,
        scheduling,
        storage,
        pki,
        encryption,
        images,
        pausedUntil,
        deletionProtection,
        allowReservedName,
        restart,
        rollout,
        maintenance,
        guard,
        addons);
  }

  /** The same with another sizing. */
  public ControlPlaneSpec withSizing(SizingSpec sizing) {
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
        encryption,
        images,
        pausedUntil,
        deletionProtection,
        allowReservedName,
        restart,
        rollout,
        maintenance,
        guard,
        addons);
  }

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
        encryption,
        images,
        pausedUntil,
        deletionProtection,
        allowReservedName,
        restart,
        rollout,
        maintenance,
        guard,
        addons);
  }
}
