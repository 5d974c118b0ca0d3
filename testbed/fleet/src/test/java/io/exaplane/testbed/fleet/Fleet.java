// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The smallest control plane, in many namespaces, and when each came how far. Thread-safe. */
final class Fleet implements AutoCloseable {
  private static final List<Class<? extends HasMetadata>> KINDS =
      List.of(
          Service.class,
          Secret.class,
          ConfigMap.class,
          StatefulSet.class,
          PodDisruptionBudget.class,
          StoreShard.class);

  private final KubernetesClient client;
  private final Set<String> namespaces;
  private final Map<String, Instant> applied = new ConcurrentHashMap<>();
  private final Map<String, Instant> told = new ConcurrentHashMap<>();
  private final SharedIndexInformer<ControlPlane> informer;

  Fleet(KubernetesClient client, int first, int count) {
    this.client = client;
    this.namespaces =
        IntStream.range(first, first + count)
            .mapToObj("fleet-%04d"::formatted)
            .collect(Collectors.toCollection(TreeSet::new));
    this.informer = client.resources(ControlPlane.class).inAnyNamespace().inform(new Handler());
  }

  /** Applies all of them, one after the other, as fast as the API takes them. */
  void apply(String manifest) {
    for (String namespace : namespaces) {
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .create();
    }
    for (String namespace : namespaces) {
      ControlPlane controlPlane =
          client.getKubernetesSerialization().unmarshal(manifest, ControlPlane.class);
      controlPlane.getMetadata().setNamespace(namespace);
      applied.put(namespace, Instant.now());
      client.resource(controlPlane).create();
    }
  }

  /** How long each took from its application to its first condition; those that have one. */
  List<Duration> toFirstCondition() {
    return namespaces.stream()
        .filter(told::containsKey)
        .map(namespace -> Duration.between(applied.get(namespace), told.get(namespace)))
        .sorted()
        .toList();
  }

  /** How long each took until its last object was made; to a second, as objects tell it. */
  List<Duration> toLastObject() {
    Map<String, Instant> last = new TreeMap<>();
    for (Class<? extends HasMetadata> kind : KINDS) {
      for (HasMetadata object : objects(kind)) {
        last.merge(
            object.getMetadata().getNamespace(),
            Instant.parse(object.getMetadata().getCreationTimestamp()),
            (one, other) -> one.isAfter(other) ? one : other);
      }
    }
    return last.entrySet().stream()
        .filter(each -> applied.containsKey(each.getKey()))
        .map(each -> Duration.between(applied.get(each.getKey()), each.getValue()))
        .sorted()
        .toList();
  }

  /** How many objects of each kind how many control planes have. */
  Map<String, Map<Long, Long>> objectsOfEach() {
    Map<String, Map<Long, Long>> all = new TreeMap<>();
    for (Class<? extends HasMetadata> kind : KINDS) {
      Map<String, Long> counts =
          objects(kind).stream()
              .collect(
                  Collectors.groupingBy(
                      object -> object.getMetadata().getNamespace(), Collectors.counting()));
      all.put(
          kind.getSimpleName(),
          namespaces.stream()
              .collect(
                  Collectors.groupingBy(
                      namespace -> counts.getOrDefault(namespace, 0L),
                      TreeMap::new,
                      Collectors.counting())));
    }
    return all;
  }

  private List<? extends HasMetadata> objects(Class<? extends HasMetadata> kind) {
    return client
        .resources(kind)
        .inAnyNamespace()
        .withLabel(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
        .list()
        .getItems()
        .stream()
        .filter(object -> namespaces.contains(object.getMetadata().getNamespace()))
        .toList();
  }

  /** Whether all is made that can be made while no pod runs, the same for each. */
  boolean isMade() {
    Map<String, Map<Long, Long>> counts = objectsOfEach();
    return counts.values().stream().allMatch(each -> each.size() == 1 && !each.containsKey(0L))
        && counts
            .get(StatefulSet.class.getSimpleName())
            .equals(counts.get(StoreShard.class.getSimpleName()))
        && client.resources(ControlPlane.class).inAnyNamespace().list().getItems().stream()
                .filter(each -> namespaces.contains(each.getMetadata().getNamespace()))
                .filter(Fleet::hasKubeconfig)
                .count()
            == namespaces.size();
  }

  private static boolean hasKubeconfig(ControlPlane controlPlane) {
    return controlPlane.getStatus() != null
        && controlPlane.getStatus().conditions() != null
        && controlPlane.getStatus().conditions().stream()
            .filter(condition -> condition.type().equals(ConditionType.KubeconfigReady.name()))
            .anyMatch(condition -> condition.status().equals(Condition.TRUE));
  }

  /** Whether each has a condition. */
  boolean isTold() {
    return told.keySet().containsAll(namespaces);
  }

  /** Asks for the removal of all. */
  void delete() {
    for (String namespace : namespaces) {
      client.resources(ControlPlane.class).inNamespace(namespace).delete();
    }
  }

  /** How many objects of theirs there are still, but for what is kept on purpose. */
  long left() {
    return client.resources(ControlPlane.class).inAnyNamespace().list().getItems().size()
        + KINDS.stream()
            .filter(kind -> kind != Secret.class)
            .mapToLong(kind -> objects(kind).size())
            .sum();
  }

  @Override
  public void close() {
    informer.close();
  }

  private final class Handler implements ResourceEventHandler<ControlPlane> {
    @Override
    public void onAdd(ControlPlane controlPlane) {
      look(controlPlane);
    }

    @Override
    public void onUpdate(ControlPlane before, ControlPlane controlPlane) {
      look(controlPlane);
    }

    @Override
    public void onDelete(ControlPlane controlPlane, boolean finalStateUnknown) {
      // When it was told stays known.
    }

    private void look(ControlPlane controlPlane) {
      if (controlPlane.getStatus() != null
          && controlPlane.getStatus().conditions() != null
          && !controlPlane.getStatus().conditions().isEmpty()) {
        told.putIfAbsent(controlPlane.getMetadata().getNamespace(), Instant.now());
      }
    }
  }
}
