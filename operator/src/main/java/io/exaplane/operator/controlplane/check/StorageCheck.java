// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.controlplane.sizing.EffectiveControlPlane;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether the management cluster has the StorageClasses that stores need which are not made yet. A
 * claim of a missing class would stay pending without a word. Thread-safe.
 */
@ApplicationScoped
public class StorageCheck {
  /** After which the classes are read again: there are few, and many control planes that ask. */
  public static final Duration AGE = Duration.ofSeconds(10);

  private static final Set<String> DEFAULT_ANNOTATIONS =
      Set.of(
          "storageclass.kubernetes.io/is-default-class",
          "storageclass.beta.kubernetes.io/is-default-class");

  private final KubernetesClient client;
  private final Clock clock;
  private List<StorageClass> classes = List.of();
  private Instant read = Instant.MIN;

  /** For all control planes. */
  public StorageCheck(KubernetesClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  /** What keeps stores of this control plane from being made. */
  public Optional<Problem> check(EffectiveControlPlane sized, Collection<StoreShard> shards) {
    return needsVolumes(sized, shards).isEmpty()
        ? Optional.empty()
        : check(sized, shards, classes());
  }

  private synchronized List<StorageClass> classes() {
    Instant now = clock.instant();
    if (read.isBefore(now.minus(AGE))) {
      classes = client.storage().v1().storageClasses().list().getItems();
      read = now;
    }
    return classes;
  }

  /** The same for these StorageClasses. Pure. */
  static Optional<Problem> check(
      EffectiveControlPlane sized, Collection<StoreShard> shards, List<StorageClass> classes) {
    return needsVolumes(sized, shards).stream()
        .flatMap(store -> check(store, classes).stream())
        .findFirst();
  }

  private static Optional<Problem> check(StoreTemplate store, List<StorageClass> classes) {
    String name = store.storage() == null ? null : store.storage().storageClassName();
    if (name == null) {
      return classes.stream().anyMatch(StorageCheck::isDefault)
          ? Optional.empty()
          : problem(
              "spec.storage: store %s needs a PersistentVolume, but the management cluster has no"
                  + " default StorageClass. Annotate a StorageClass with"
                  + " storageclass.kubernetes.io/is-default-class=true, or set"
                  + " storage.storageClassName of %s in spec.storage.stores. The operator creates"
                  + " nothing until then.",
              store.name(), store.name());
    }
    // The empty name asks for a volume without a class, which somebody made by hand.
    return name.isEmpty()
            || classes.stream().anyMatch(any -> any.getMetadata().getName().equals(name))
        ? Optional.empty()
        : problem(
            "spec.storage.stores, at %s, storage.storageClassName %s: the management cluster has no"
                + " such StorageClass (existing: %s); set an existing class, or create this class."
                + " The operator creates nothing until then.",
            store.name(), name, names(classes));
  }

  private static Set<StoreTemplate> needsVolumes(
      EffectiveControlPlane sized, Collection<StoreShard> shards) {
    ControlPlaneNames names = sized.names();
    Set<String> there =
        shards.stream()
            .filter(shard -> shard.hasOwnerReferenceFor(sized.asked()))
            .map(shard -> shard.getMetadata().getName())
            .collect(Collectors.toSet());
    return StorageSpec.stores(sized.spec().storage()).stream()
        .filter(
            store -> VolumeSpec.type(store.storage(), store.effectiveCriticality()).outlivesPod())
        .filter(store -> !there.contains(names.shard(store.name())))
        .collect(Collectors.toSet());
  }

  private static boolean isDefault(StorageClass storageClass) {
    Map<String, String> annotations = storageClass.getMetadata().getAnnotations();
    return annotations != null
        && DEFAULT_ANNOTATIONS.stream().anyMatch(a -> "true".equals(annotations.get(a)));
  }

  private static String names(List<StorageClass> classes) {
    return classes.isEmpty()
        ? "none"
        : classes.stream()
            .map(HasMetadata::getMetadata)
            .map(metadata -> metadata.getName())
            .sorted()
            .collect(Collectors.joining(", "));
  }

  private static Optional<Problem> problem(String format, Object... values) {
    return Optional.of(new Problem(Reason.StorageClassMissing, format.formatted(values)));
  }
}
