// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.ResourceRequirements;

/** A store that the control plane owns; it becomes a StoreShard. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.memory) || self.engine == 'Memory'",
    message = "memory: is for the engine Memory only; remove the field, or choose that engine")
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
            + " p.prefix.startsWith('/registry/events/') ||"
            + " p.prefix.startsWith('/registry/leases/'))",
    message =
        "memory.prefixes: in a Critical store Memory is for /registry/events/ and /registry/leases/"
            + " only, since a restart loses such keys; choose Buffered or Fsync")
@ValidationRule(
    value =
        "self.criticality == 'BestEffort' || !has(self.storage) || !has(self.storage.type) ||"
            + " self.storage.type != 'EmptyDir' || oldSelf.hasValue() &&"
            + " has(oldSelf.value().storage) && has(oldSelf.value().storage.type) &&"
            + " oldSelf.value().storage.type == 'EmptyDir'",
    optionalOldSelf = true,
    message =
        "storage.type: EmptyDir is for BestEffort stores, since the data is lost with the pod; "
            + "omit type for a PersistentVolume, or set EmptyDirLosesDataWithPod")
public record StoreTemplate(
    @Required
        @Size(min = 1, max = 20)
        @Pattern("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$")
        @JsonPropertyDescription("Name of the store within the control plane.")
        String name,
    @Default("Critical")
        @JsonPropertyDescription(
            "Critical: the control plane is not Available without the store. BestEffort:"
                + " the store's data may be lost; for events only. Default: Critical.")
        Criticality criticality,
    @Default("Memory")
        @JsonPropertyDescription(
            "Server of the store. Memory: Exaplane's etcd v3, in memory with a journal."
                + " Etcd: a real etcd. Default: Memory. Immutable.")
        StoreEngine engine,
    @JsonPropertyDescription("Settings of the engine Memory.") MemoryEngineSpec memory,
    @JsonPropertyDescription(
            "Place of the data. Default: a PersistentVolume of the management cluster's default "
                + "StorageClass for a Critical store, an EmptyDir for a BestEffort store.")
        VolumeSpec storage,
    @JsonPropertyDescription(
            "Requests and limits of the store's container, as in a pod. A pod whose data would be"
                + " lost with the pod gets new resources only when you delete the pod. Default for"
                + " the engine Memory: an existing store keeps its resources. A new Critical store"
                + " gets equal requests and limits, so that its pod is Guaranteed: 250m and 1Gi up"
                + " to 100 nodes, 1 and 2Gi up to 1,000, 2 and 4Gi up to 10,000, 4 and 4Gi up to"
                + " 100,000, 8 and 4Gi above. If the tuning model's memory is larger, the store"
                + " gets that memory. If no node is large enough, and for a BestEffort store, the"
                + " default is a memory limit of 4Gi.")
        ResourceRequirements resources) {

  /** What serves the store, with the default filled in. */
  public StoreEngine effectiveEngine() {
    return engine == null ? StoreEngine.Memory : engine;
  }

  /** The same with this volume. */
  public StoreTemplate on(VolumeSpec volume) {
    return new StoreTemplate(name, criticality, engine, memory, volume, resources);
  }

  /** How much the control plane depends on the store, with the default filled in. */
  public Criticality effectiveCriticality() {
    return criticality == null ? Criticality.Critical : criticality;
  }
}
