// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** What the user asks of a scheduler. Only the cluster is needed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.controlPlaneRef) != has(self.kubeconfigSecretRef)",
    message =
        "spec: needs either controlPlaneRef, for a ControlPlane, or kubeconfigSecretRef, for a "
            + "cluster that Exaplane does not run; set one and remove the other")
@ValidationRule(
    value =
        "has(self.controlPlaneRef) == has(oldSelf.controlPlaneRef) && (!has(self.controlPlaneRef)"
            + " || self.controlPlaneRef.name == oldSelf.controlPlaneRef.name) &&"
            + " (!has(self.kubeconfigSecretRef) || self.kubeconfigSecretRef.name =="
            + " oldSelf.kubeconfigSecretRef.name)",
    message =
        "spec: controlPlaneRef and kubeconfigSecretRef are immutable; create a new "
            + "SchedulerPool for another cluster")
@ValidationRule(
    value = "self.schedulerName == oldSelf.schedulerName",
    message =
        "schedulerName: is immutable, since pods cannot change theirs; create a new "
            + "SchedulerPool for another name")
@ValidationRule(
    value = "has(self.controlPlaneRef) || has(self.maxNodes)",
    message =
        "maxNodes: is required with kubeconfigSecretRef, since no ControlPlane provides it; "
            + "set maxNodes")
public record SchedulerPoolSpec(
    @JsonPropertyDescription(
            "The ControlPlane in the same namespace whose pods the pool places. Immutable.")
        LocalRef controlPlaneRef,
    @JsonPropertyDescription(
            "Secret in the same namespace with a kubeconfig, in the key kubeconfig, for a cluster"
                + " that Exaplane does not run. The account needs kube-scheduler's permissions."
                + " With another schedulerName, the account also needs to get, update and patch the"
                + " Lease kube-system/exaplane-<schedulerName>. The Secret needs the label"
                + " app.kubernetes.io/managed-by: exaplane, so that the operator sees changes, and"
                + " the label exaplane.io/scheduler-pool with the name of this pool. No other pool"
                + " can use the Secret. Immutable.")
        LocalRef kubeconfigSecretRef,
    @Default("default-scheduler")
        @Size(min = 1, max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription(
            "The pool places pods with this spec.schedulerName. As default-scheduler, the"
                + " pool shares a Lease with kube-scheduler. A ControlPlane's kube-scheduler is"
                + " removed when spec.scheduling names this pool. Default: default-scheduler."
                + " Immutable.")
        String schedulerName,
    @Min(1)
        @Max(1_000_000)
        @JsonPropertyDescription(
            "Largest number of nodes that the pool is sized for. Default: the ControlPlane's.")
        Integer maxNodes,
    @JsonPropertyDescription(
            "Plugins and their arguments, as in a profile of a KubeSchedulerConfiguration. Default:"
                + " kube-scheduler's.")
        SchedulerProfileSpec profile,
    @JsonPropertyDescription(
            "The processes that decide and write. One is in charge; the others stand by.")
        PoolRootsSpec roots,
    @JsonPropertyDescription("The processes between shards and roots.") PoolRelaysSpec relays,
    @Default("{}")
        @JsonPropertyDescription(
            "The processes that know the nodes, a part each, and report the best nodes to the "
                + "root. Without shards, the root evaluates all nodes itself.")
        PoolShardsSpec shards,
    @JsonPropertyDescription("Behaviour while no root of the pool is in charge.")
        PoolFallbackSpec fallback,
    @JsonPropertyDescription("Registry and pull secret of images.") ImagesSpec images,
    @Size(max = 40)
        @Pattern("^[A-Za-z0-9:.+-]+$")
        @JsonPropertyDescription(
            "A new value, such as the current time, replaces all pods once, shards first and roots "
                + "last. The bundle in status.bundle remains.")
        String restartedAt,
    @Size(max = 40)
        @Pattern(
            "^(true|false|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}))$")
        @JsonPropertyDescription(
            "Pauses reconciliation until this RFC 3339 time, or for good with \"true\"."
                + " Running pods continue, and no fallback starts or stops. For example"
                + " 2026-12-01T06:00:00Z. Default: not paused.")
        String pausedUntil,
    @JsonPropertyDescription(
            "Restarts after outages: delay, budget and pace. See docs/restarts.md for what binds"
                + " the operator and what the kubelet.")
        RestartSpec restart,
    @JsonPropertyDescription("When running pods take what a new operator renders.")
        RolloutSpec rollout,
    @JsonPropertyDescription(
            "Times at which the operator moves pods to its own bundle if spec.rollout.bundle is not"
                + " set. Without it, only spec.rollout.bundle moves them.")
        MaintenanceSpec maintenance) {

  /** The name of the scheduler that everybody has by default. */
  public static final String DEFAULT_SCHEDULER = "default-scheduler";

  /** The scheduler's name with the default filled in. */
  public String effectiveSchedulerName() {
    return schedulerName == null ? DEFAULT_SCHEDULER : schedulerName;
  }

  /**
   * The Lease in kube-system by which one process at a time is in charge: kube-scheduler's own
   * where it stands in its place.
   */
  public String leaseName() {
    String name = effectiveSchedulerName();
    return name.equals(DEFAULT_SCHEDULER) ? "kube-scheduler" : "exaplane-" + name;
  }
}
