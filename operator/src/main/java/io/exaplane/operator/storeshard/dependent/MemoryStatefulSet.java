// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.StoreDurability;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.storeshard.resources.StoreGuarantee;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the StatefulSet of a store of our own. Pure. */
final class MemoryStatefulSet {
  private static final String LEAST_REVISION = "EXAPLANE_LEAST_REVISION";
  private static final String LOAD_QUOTA = "EXAPLANE_QUOTA_LOAD_BYTES";

  private MemoryStatefulSet() {}

  /**
   * The StatefulSet, as this operator makes a new one.
   *
   * @param hasClass whether the priority class of Critical stores is there
   */
  static StatefulSet render(
      StoreShard shard, Images images, Optional<StatefulSet> existing, boolean hasClass) {
    Container container = container(shard, images.store());
    return new StorePod(shard, images, existing)
        .set(container, "/data/store", StorePlacement.of(shard, existing, hasClass), List.of());
  }

  private static Container container(StoreShard shard, String image) {
    return StorePod.container(image)
        .withName("store")
        .withArgs(arguments(shard))
        .withEnv(environment(shard))
        .withResources(ContainerLimits.complete(resources(shard)))
        .build();
  }

  private static List<String> arguments(StoreShard shard) {
    String name = shard.getMetadata().getName();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--name=" + name,
                "--data-dir=/data/store",
                "--listen-client-urls=https://[::]:" + StoreService.CLIENT_PORT,
                "--advertise-client-urls=https://" + name + ":" + StoreService.CLIENT_PORT,
                "--listen-metrics-urls=http://[::]:" + StoreService.METRICS_PORT,
                "--client-cert-auth=true",
                "--trusted-ca-file=/tls/ca.crt",
                "--cert-file=/tls/tls.crt",
                "--key-file=/tls/tls.key",
                "--watch-progress-notify-interval=5s",
                "--durability=" + PrefixFlags.flag(durability(shard))));
    arguments.addAll(ClientRules.ofControlPlane(shard));
    MemoryEngineSpec memory = shard.getSpec().memory();
    MemoryEngineSpec.quotaBytes(
            memory,
            VolumeSpec.bytes(shard.getSpec().storage(), shard.getSpec().effectiveCriticality()))
        .ifPresent(bytes -> arguments.add("--quota-backend-bytes=" + bytes));
    boolean isForced = durability(shard) == StoreDurability.Fsync;
    if (isForced && shard.getSpec().effectiveCriticality() == Criticality.Critical) {
      arguments.addAll(PrefixFlags.ofMemory(memory));
    }
    arguments.addAll(PrefixFlags.of(memory));
    return arguments;
  }

  private static StoreDurability durability(StoreShard shard) {
    MemoryEngineSpec memory = shard.getSpec().memory();
    if (memory != null && memory.durability() != null) {
      return memory.durability();
    }
    return shard.getSpec().criticality() == Criticality.BestEffort
        ? StoreDurability.Buffered
        : StoreDurability.Fsync;
  }

  /**
   * Read when the container starts, so that raising it restarts nothing. A Critical store is held
   * to what was seen of it.
   */
  private static List<EnvVar> environment(StoreShard shard) {
    List<EnvVar> environment = new ArrayList<>();
    environment.add(variable(shard, "EXAPLANE_REVISION_FLOOR", StoreRecord.REVISION_FLOOR));
    if (StoreNames.isCritical(shard)) {
      environment.add(variable(shard, LEAST_REVISION, StoreRecord.LEAST_REVISION));
    }
    // An older image of the store does not have the flag, and ignores the variable.
    MemoryEngineSpec.loadQuotaBytes(shard.getSpec().memory())
        .ifPresent(bytes -> environment.add(new EnvVar(LOAD_QUOTA, Long.toString(bytes), null)));
    ClientRules.variable(shard)
        .ifPresent(
            allowed -> environment.add(new EnvVar(allowed.getKey(), allowed.getValue(), null)));
    ClearPages.variable(shard).ifPresent(environment::add);
    return environment;
  }

  private static EnvVar variable(StoreShard shard, String name, String key) {
    return new EnvVarBuilder()
        .withName(name)
        .withNewValueFrom()
        .withNewConfigMapKeyRef(key, StoreRecord.name(shard), true)
        .endValueFrom()
        .build();
  }

  /**
   * What was asked for. A control plane asks for all that its stores are guaranteed; one that no
   * control plane made, and that is Critical, is guaranteed what suits most.
   */
  private static ResourceRequirements resources(StoreShard shard) {
    if (shard.getSpec().resources() != null) {
      return shard.getSpec().resources();
    }
    boolean guaranteed =
        shard.getSpec().criticality() != Criticality.BestEffort
            && StoreNames.controlPlaneUid(shard).isEmpty();
    return guaranteed ? StoreGuarantee.ofAnySize() : requests();
  }

  /**
   * With a limit: by it the store finds out how much it may hold, be the node as large as it is.
   */
  private static ResourceRequirements requests() {
    return new ResourceRequirementsBuilder()
        .addToRequests("cpu", new Quantity("50m"))
        .addToRequests("memory", new Quantity(MemoryEngineSpec.DEFAULT_MEMORY_REQUEST))
        .addToLimits("memory", new Quantity(MemoryEngineSpec.DEFAULT_MEMORY_LIMIT))
        .build();
  }
}
