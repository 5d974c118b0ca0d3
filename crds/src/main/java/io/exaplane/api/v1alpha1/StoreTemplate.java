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
    message = "memory: is for the engine Memory only; remove it or choose that engine")
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
@ValidationRule(
    value =
        "self.criticality == 'BestEffort' || !has(self.storage) || !has(self.storage.type) ||"
            + " self.storage.type != 'EmptyDir' || oldSelf.hasValue() && has(oldSelf.value().storage) &&"
            + " has(oldSelf.value().storage.type) && oldSelf.value().storage.type == 'EmptyDir'",
    optionalOldSelf = true,
    message =
        "storage.type: EmptyDir is for BestEffort stores, since the data goes with the pod; leave it out"
            + " for a PersistentVolume, or ask for EmptyDirLosesDataWithPod")
public record StoreTemplate(
    @Required
        @Size(min = 1, max = 20)
        @Pattern("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$")
        @JsonPropertyDescription("Name of the store within the control plane.")
        String name,
    @Default("Critical")
        @JsonPropertyDescription(
            "Critical: the control plane is not Available without it. BestEffort: it may be lost;"
                + " for events only.")
        Criticality criticality,
    @Default("Memory")
        @JsonPropertyDescription(
            "What serves the store: Memory, our own etcd v3 in memory with a journal, or Etcd, a real"
                + " one. Immutable.")
        StoreEngine engine,
    @JsonPropertyDescription("Settings of the engine Memory.") MemoryEngineSpec memory,
    @JsonPropertyDescription(
            "Where the data is kept. Default: a PersistentVolume of the management cluster's default"
                + " StorageClass for a Critical store, an EmptyDir for a BestEffort one.")
        VolumeSpec storage,
    @JsonPropertyDescription(
            "Requests and limits of the store's container, as in a pod. A pod whose data would go with the pod takes"
                + " up others only when it is deleted. Default of cpu and memory, for the engine Memory: what the"
                + " store has; of a new Critical one the same request and limit, so that its pod is Guaranteed: 250m"
                + " and 1Gi to 100 nodes, 1 and 2Gi to 1,000, 2 and 4Gi to 10,000, 4 and 4Gi to 100,000, 8 and 4Gi"
                + " above, or the memory that the tuning model says, if that is more; if there is no node that"
                + " large, and of a BestEffort one, a memory limit of 4Gi.")
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
