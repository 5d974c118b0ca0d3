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
        "engine: is immutable, since the engines store data in different formats; create a new "
            + "StoreShard")
@ValidationRule(
    value =
        "has(oldSelf.storage) ? has(self.storage) && has(oldSelf.storage.type) =="
            + " has(self.storage.type) && (!has(oldSelf.storage.type) || oldSelf.storage.type =="
            + " self.storage.type) && has(oldSelf.storage.storageClassName) =="
            + " has(self.storage.storageClassName) && (!has(oldSelf.storage.storageClassName) ||"
            + " oldSelf.storage.storageClassName == self.storage.storageClassName) &&"
            + " (!has(oldSelf.storage.size) || has(self.storage.size)) : !has(self.storage) ||"
            + " !has(self.storage.type) && !has(self.storage.storageClassName)",
    message =
        "storage: is immutable except for a larger size, since a change would lose the data; create"
            + " a new StoreShard")
@ValidationRule(
    value = "!has(self.memory) || self.engine == 'Memory'",
    message =
        "memory: is for the engine Memory only; remove the field, or create a store with that "
            + "engine")
@ValidationRule(
    value =
        "self.engine == 'Memory' || !has(self.tls.allowedClients) ||"
            + " !has(self.tls.allowedClients.commonNames)",
    message =
        "tls.allowedClients.commonNames: is for the engine Memory only, since etcd has no such flag; "
            + "use hostnames")
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
public record StoreShardSpec(
    @Default("Memory")
        @JsonPropertyDescription(
            "Server of the store. Memory: Exaplane's etcd v3, in memory with a journal."
                + " Etcd: a real etcd. Default: Memory. Immutable.")
        StoreEngine engine,
    @JsonPropertyDescription("Settings of the engine Memory.") MemoryEngineSpec memory,
    @Default("Critical")
        @JsonPropertyDescription(
            "How much users depend on the store. Critical: its data must not be lost, so a"
                + " store that does not find its data serves nothing. BestEffort: its data may be"
                + " lost. Default: Critical.")
        Criticality criticality,
    @JsonPropertyDescription(
            "Where the data is kept. Immutable, except for a larger size. Default: a"
                + " PersistentVolume of the cluster's default StorageClass for a Critical store, an"
                + " EmptyDir for a BestEffort one.")
        VolumeSpec storage,
    @Required @JsonPropertyDescription("The store's server certificate, and the CA of its clients.")
        StoreTls tls,
    @JsonPropertyDescription(
            "Requests and limits of the container, as in a pod. Default for the engine Memory: an "
                + "existing store keeps its resources. A new Critical store gets 1 core and 4Gi as "
                + "requests and limits, a BestEffort store a memory limit of 4Gi.")
        ResourceRequirements resources,
    @JsonPropertyDescription("Registry and pull secret of the image.") ImagesSpec images,
    @JsonPropertyDescription(
            "Behaviour if a Critical store does not find its data. Hold: the store does not serve"
                + " until the data is back, or the annotation exaplane.io/accept-data-loss has the"
                + " incident's id (status.dataLoss.incident). StartEmpty: the store serves the data"
                + " that it finds. Default: Hold. A BestEffort store always starts with the data"
                + " that it finds.")
        OnDataLoss onDataLoss,
    @Default("Retain")
        @JsonPropertyDescription(
            "Handling of the claim when the StoreShard is deleted. Retain: the claim"
                + " remains, and a StoreShard of the same name in the same namespace takes it"
                + " over. Delete: the claim is deleted, too. Default: Retain.")
        StorageDeletion deletion,
    @Default("true")
        @JsonPropertyDescription(
            "Refuses to delete the StoreShard until the annotation"
                + " exaplane.io/allow-deletion equals its name. Does not refuse the garbage"
                + " collector or the deletion of the namespace. Default: true.")
        Boolean deletionProtection,
    @Size(max = 40)
        @Pattern("^[A-Za-z0-9:.+-]+$")
        @JsonPropertyDescription(
            "A new value, such as the current time, replaces the store's pod once. The bundle in"
                + " status.bundle remains. The data remains, too; the pod of a Critical store with"
                + " an EmptyDir stays. The store takes no writes for some seconds.")
        String restartedAt,
    @JsonPropertyDescription(
            "Accepts, at creation, a name that objects of a ControlPlane or SchedulerPool can have,"
                + " for a store that is restored. Default: false.")
        Boolean allowReservedName,
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

  /** One with the default policy of restarts, of the bundle that it has. */
  public StoreShardSpec(
      StoreEngine engine,
      MemoryEngineSpec memory,
      Criticality criticality,
      VolumeSpec storage,
      StoreTls tls,
      ResourceRequirements resources,
      ImagesSpec images,
      OnDataLoss onDataLoss,
      StorageDeletion deletion,
      Boolean deletionProtection,
      String restartedAt,
      Boolean allowReservedName) {
    this(
        engine,
        memory,
        criticality,
        storage,
        tls,
        resources,
        images,
        onDataLoss,
        deletion,
        deletionProtection,
        restartedAt,
        allowReservedName,
        null,
        null,
        null);
  }

  /** The same with another request to restart, and of another bundle. */
  public StoreShardSpec turned(String restartedAt, RolloutSpec rollout) {
    return new StoreShardSpec(
        engine,
        memory,
        criticality,
        storage,
        tls,
        resources,
        images,
        onDataLoss,
        deletion,
        deletionProtection,
        restartedAt,
        allowReservedName,
        restart,
        rollout,
        maintenance);
  }

  /** The same with the pod of another one. */
  public StoreShardSpec withPodOf(StoreShardSpec other) {
    return new StoreShardSpec(
        engine,
        other.memory,
        criticality,
        storage,
        tls,
        other.resources,
        other.images,
        onDataLoss,
        deletion,
        deletionProtection,
        restartedAt,
        allowReservedName,
        restart,
        rollout,
        maintenance);
  }

  /** The same on another volume. */
  public StoreShardSpec on(VolumeSpec volume) {
    return new StoreShardSpec(
        engine,
        memory,
        criticality,
        volume,
        tls,
        resources,
        images,
        onDataLoss,
        deletion,
        deletionProtection,
        restartedAt,
        allowReservedName,
        restart,
        rollout,
        maintenance);
  }

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
