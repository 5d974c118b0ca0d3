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
        "spec: needs one of controlPlaneRef, for a ControlPlane, and kubeconfigSecretRef, for a cluster"
            + " that Exaplane doesn't run; set the one and remove the other")
@ValidationRule(
    value =
        "has(self.controlPlaneRef) == has(oldSelf.controlPlaneRef) && (!has(self.controlPlaneRef) ||"
            + " self.controlPlaneRef.name == oldSelf.controlPlaneRef.name) &&"
            + " (!has(self.kubeconfigSecretRef) || self.kubeconfigSecretRef.name =="
            + " oldSelf.kubeconfigSecretRef.name)",
    message =
        "spec: controlPlaneRef and kubeconfigSecretRef are immutable; make a new SchedulerPool for"
            + " another cluster")
@ValidationRule(
    value = "self.schedulerName == oldSelf.schedulerName",
    message =
        "schedulerName: is immutable, since pods can't change theirs; make a new SchedulerPool for"
            + " another name")
@ValidationRule(
    value = "has(self.controlPlaneRef) || has(self.maxNodes)",
    message =
        "maxNodes: is needed with kubeconfigSecretRef, where there is no ControlPlane that says it;"
            + " set it")
public record SchedulerPoolSpec(
    @JsonPropertyDescription(
            "The ControlPlane, in the same namespace, whose pods it places. Immutable.")
        LocalRef controlPlaneRef,
    @JsonPropertyDescription(
            "Secret in the same namespace with a kubeconfig, in the key kubeconfig, for a cluster that"
                + " Exaplane doesn't run; it may do what kube-scheduler may and, with a schedulerName"
                + " of its own, get, update and patch the Lease kube-system/exaplane-<schedulerName>."
                + " It has the label"
                + " app.kubernetes.io/managed-by: exaplane, so that its changes are seen. Immutable.")
        LocalRef kubeconfigSecretRef,
    @Default("default-scheduler")
        @Size(min = 1, max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription(
            "Which pods it places: those whose spec.schedulerName is this. As default-scheduler it takes"
                + " turns with kube-scheduler by a Lease; a ControlPlane's own goes when its"
                + " spec.scheduling names this pool. Immutable.")
        String schedulerName,
    @Min(1)
        @Max(1_000_000)
        @JsonPropertyDescription(
            "The largest number of nodes that it is made for. Default: the ControlPlane's.")
        Integer maxNodes,
    @JsonPropertyDescription(
            "Plugins and their arguments, as in a profile of a KubeSchedulerConfiguration. Default:"
                + " kube-scheduler's.")
        SchedulerProfileSpec profile,
    @JsonPropertyDescription(
            "The processes that decide and write, of which one is in charge and the others stand by.")
        PoolRootsSpec roots,
    @JsonPropertyDescription("The processes between shards and roots.") PoolRelaysSpec relays,
    @Default("{}")
        @JsonPropertyDescription(
            "The processes that know the nodes, each some of them, and name the best to the root."
                + " Without any the root looks at all nodes itself.")
        PoolShardsSpec shards,
    @JsonPropertyDescription("What happens when nobody of the pool is in charge.")
        PoolFallbackSpec fallback,
    @JsonPropertyDescription("Where images come from.") ImagesSpec images,
    @Size(max = 40)
        @Pattern("^[A-Za-z0-9:.+-]+$")
        @JsonPropertyDescription(
            "Another value, as a time, replaces all pods once, shards first and roots last, and takes the"
                + " operator's newest image along.")
        String restartedAt,
    @Size(max = 40)
        @Pattern(
            "^(true|false|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}))$")
        @JsonPropertyDescription(
            "Pauses reconciliation until this RFC 3339 time, or for good with \"true\". What runs"
                + " goes on running, and no fallback is started or stopped.")
        String pausedUntil) {

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
