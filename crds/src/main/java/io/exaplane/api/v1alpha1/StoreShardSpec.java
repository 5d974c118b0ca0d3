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
@ValidationRule(
    value = "!has(self.memory) || self.engine == 'Memory'",
    message = "memory: is for the engine Memory only; remove it or make a store of that engine")
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
public record StoreShardSpec(
    @Default("Memory")
        @JsonPropertyDescription(
            "What serves the store: Memory, our own etcd v3 in memory with a journal, or Etcd, a real"
                + " one. Immutable.")
        StoreEngine engine,
    @JsonPropertyDescription("Settings of the engine Memory.") MemoryEngineSpec memory,
    @Default("Critical") @JsonPropertyDescription("How much its user depends on it.")
        Criticality criticality,
    @JsonPropertyDescription(
            "Where the data is kept. Immutable. Default: a PersistentVolume of the cluster's default"
                + " StorageClass for a Critical store, an EmptyDir for a BestEffort one.")
        VolumeSpec storage,
    @Required @JsonPropertyDescription("The store's server certificate, and the CA of its clients.")
        StoreTls tls,
    @JsonPropertyDescription(
            "Requests and limits of the container, as in a pod. Default, for the engine Memory: what the store"
                + " has; of a new Critical one 1 and 4Gi as requests and limits, of a BestEffort one a memory limit"
                + " of 4Gi.")
        ResourceRequirements resources,
    @JsonPropertyDescription("Where the image comes from.") ImagesSpec images,
    @JsonPropertyDescription(
            "What happens when a Critical store does not find the data that it had. Hold: the store does not"
                + " serve until the data is back, or the annotation exaplane.io/accept-data-loss has the"
                + " incident's id (status.dataLoss.incident). StartEmpty: the store serves what it finds."
                + " Default: Hold. A BestEffort store always starts with what it finds.")
        OnDataLoss onDataLoss,
    @Default("Retain")
        @JsonPropertyDescription(
            "What becomes of the claim when the StoreShard is deleted. Retain: it stays, and a StoreShard of the"
                + " same name in the same namespace takes it over. Delete: it goes with it.")
        StorageDeletion deletion,
    @Default("true")
        @JsonPropertyDescription(
            "Whether deleting the StoreShard is refused until its annotation exaplane.io/allow-deletion is its own"
                + " name. The garbage collector and the deletion of the namespace are not refused.")
        Boolean deletionProtection,
    @Size(max = 40)
        @Pattern("^[A-Za-z0-9:.+-]+$")
        @JsonPropertyDescription(
            "Another value, as a time, replaces the store's pod once, and takes the operator's newest image and"
                + " settings along. The data stays: on its volume, or, on an EmptyDir, since the container alone"
                + " takes the new image. The store takes no writes for some seconds.")
        String restartedAt) {

  /** How much its user depends on the store, with the default filled in. */
  public Criticality effectiveCriticality() {
    return criticality == null ? Criticality.Critical : criticality;
  }

  /** What happens after a loss of data, with the default filled in. */
  public OnDataLoss effectiveOnDataLoss() {
    if (effectiveCriticality() == Criticality.BestEffort) {
      return OnDataLoss.StartEmpty;
    }
    return onDataLoss == null ? OnDataLoss.Hold : onDataLoss;
  }
}
