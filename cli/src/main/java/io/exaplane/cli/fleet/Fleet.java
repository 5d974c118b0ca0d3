// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import io.exaplane.cli.measure.MeasurementException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The smallest control plane, once in each of many namespaces, and when each came how far.
 * Thread-safe.
 */
public final class Fleet implements AutoCloseable {
  private static final String API_VERSION = "exaplane.io/v1alpha1";
  private static final String KIND = "ControlPlane";
  private static final String OPERATORS = "app.kubernetes.io/managed-by=exaplane";

  private final KubernetesClient client;
  private final FleetNames names;
  private final Set<String> namespaces;
  private final Progress progress = new Progress();
  private final Metadata metadata;
  private final SharedIndexInformer<GenericKubernetesResource> informer;
  private boolean isClosed;

  public Fleet(KubernetesClient client, FleetNames names) {
    this.client = client;
    this.names = names;
    this.namespaces = names.namespaces();
    this.metadata = new Metadata(client);
    this.informer =
        controlPlanes(client)
            .inAnyNamespace()
            .withLabel(FleetNames.LABEL, names.run())
            .inform(progress);
  }

  static MixedOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>>
      controlPlanes(KubernetesClient client) {
    return client.genericKubernetesResources(
        new ResourceDefinitionContext.Builder()
            .withGroup("exaplane.io")
            .withVersion("v1alpha1")
            .withKind(KIND)
            .withPlural("controlplanes")
            .withNamespaced(true)
            .build());
  }

  /** Creates the namespaces, one after the other. */
  public void createNamespaces() {
    for (String namespace : namespaces) {
      step(
          () ->
              client
                  .resource(new NamespaceBuilder().withMetadata(meta(namespace).build()).build())
                  .create());
    }
  }

  /**
   * Creates a control plane in each namespace, one after the other, as fast as the API takes them.
   *
   * @param kubernetesVersion of all, as 1.37.2
   */
  public void create(String kubernetesVersion) {
    for (String namespace : namespaces) {
      GenericKubernetesResource manifest = manifest(namespace, kubernetesVersion);
      step(
          () -> {
            progress.applied(namespace);
            long began = System.nanoTime();
            client.resource(manifest).create();
            progress.requested(Duration.ofNanos(System.nanoTime() - began));
          });
    }
  }

  private ObjectMetaBuilder meta(String name) {
    return new ObjectMetaBuilder().withName(name).withLabels(names.labels());
  }

  private GenericKubernetesResource manifest(String namespace, String kubernetesVersion) {
    GenericKubernetesResource manifest = new GenericKubernetesResource();
    manifest.setApiVersion(API_VERSION);
    manifest.setKind(KIND);
    ObjectMeta meta = meta(FleetNames.NAME).withNamespace(namespace).build();
    manifest.setMetadata(meta);
    manifest.setAdditionalProperty(
        "spec",
        Map.of(
            "version",
            kubernetesVersion,
            "maxNodes",
            100,
            "deletionProtection",
            false,
            "storage",
            Map.of("deletion", "Delete")));
    return manifest;
  }

  /** One request that creates something; none once the fleet is closed. */
  private synchronized void step(Runnable request) {
    if (isClosed) {
      throw new MeasurementException("interrupted; run the command again to measure");
    }
    request.run();
  }

  /**
   * Changes the spec of one control plane.
   *
   * @param mergePatch JSON
   * @throws MeasurementException if nothing in its spec changes
   */
  Progress.Change change(String namespace, String mergePatch) {
    Resource<GenericKubernetesResource> one =
        controlPlanes(client).inNamespace(namespace).withName(FleetNames.NAME);
    long before = progress.generation(namespace);
    Instant since = Instant.now();
    long generation =
        one.patch(PatchContext.of(PatchType.JSON_MERGE), mergePatch).getMetadata().getGeneration();
    if (generation <= before) {
      throw new MeasurementException(
          "--change: '%s' changes nothing in the spec of ControlPlane %s in %s; name another value"
              .formatted(mergePatch, FleetNames.NAME, namespace));
    }
    return new Progress.Change(namespace, generation, since);
  }

  /** From the request to the first condition, of those that have one, sorted. */
  public List<Duration> toFirstCondition() {
    return progress.toFirstCondition(namespaces);
  }

  /** From the request to the last object, sorted; to a second, as objects tell the time. */
  public List<Duration> toLastObject() {
    return durations(objects().values().stream().flatMap(Collection::stream).toList());
  }

  /** The same for the last object of each Kind. */
  Map<OwnedKind, List<Duration>> toLastObjectOfKind() {
    Map<OwnedKind, List<Duration>> all = new EnumMap<>(OwnedKind.class);
    objects().forEach((kind, items) -> all.put(kind, durations(items)));
    return all;
  }

  private List<Duration> durations(List<Metadata.Item> items) {
    Map<String, Instant> last =
        items.stream()
            .collect(
                Collectors.toMap(
                    Metadata.Item::namespace,
                    Metadata.Item::created,
                    (one, other) -> one.isAfter(other) ? one : other));
    return last.entrySet().stream()
        .filter(each -> progress.appliedAt(each.getKey()) != null)
        .map(each -> Duration.between(progress.appliedAt(each.getKey()), each.getValue()))
        // The server's second may have begun before the request.
        .map(each -> each.isNegative() ? Duration.ZERO : each)
        .sorted()
        .toList();
  }

  private Map<OwnedKind, List<Metadata.Item>> objects() {
    Map<OwnedKind, List<Metadata.Item>> all = new EnumMap<>(OwnedKind.class);
    for (OwnedKind kind : OwnedKind.values()) {
      all.put(
          kind,
          metadata.list(kind.path(), OPERATORS).stream()
              .filter(item -> namespaces.contains(item.namespace()))
              .toList());
    }
    return all;
  }

  /** By Kind, how many control planes have how many objects. */
  public Map<String, Map<Long, Long>> objectsOfEach() {
    Map<String, Map<Long, Long>> all = new TreeMap<>();
    objects()
        .forEach(
            (kind, items) -> {
              Map<String, Long> counts =
                  items.stream()
                      .collect(
                          Collectors.groupingBy(Metadata.Item::namespace, Collectors.counting()));
              all.put(
                  kind.kind(),
                  namespaces.stream()
                      .collect(
                          Collectors.groupingBy(
                              namespace -> counts.getOrDefault(namespace, 0L),
                              TreeMap::new,
                              Collectors.counting())));
            });
    return all;
  }

  /** Whether all is made that can be made while no pod runs, the same for each. */
  public boolean isMade() {
    if (!progress.haveKubeconfigs(namespaces)) {
      return false;
    }
    Map<String, Map<Long, Long>> counts = objectsOfEach();
    return counts.values().stream().allMatch(each -> each.size() == 1 && !each.containsKey(0L))
        && counts
            .get(OwnedKind.STATEFUL_SET.kind())
            .equals(counts.get(OwnedKind.STORE_SHARD.kind()));
  }

  /** Whether each has a condition. */
  public boolean isTold() {
    return progress.isTold(namespaces);
  }

  /** How many have a condition. */
  int told() {
    return progress.toldOf(namespaces);
  }

  Progress progress() {
    return progress;
  }

  Set<String> namespaces() {
    return namespaces;
  }

  /** Asks for the deletion of all control planes. */
  public void delete() {
    for (String namespace : namespaces) {
      controlPlanes(client).inNamespace(namespace).withName(FleetNames.NAME).delete();
    }
  }

  /** How many objects there are still, except for Secrets, some of which are kept on purpose. */
  public long left() {
    return controlPlanesLeft()
        + objects().entrySet().stream()
            .filter(each -> each.getKey() != OwnedKind.SECRET)
            .mapToLong(each -> each.getValue().size())
            .sum();
  }

  private long controlPlanesLeft() {
    return metadata
        .list("/apis/exaplane.io/v1alpha1/controlplanes", FleetNames.LABEL + "=" + names.run())
        .stream()
        .filter(item -> namespaces.contains(item.namespace()))
        .count();
  }

  /** Nothing is created any more when this returns; what was created stays. */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    informer.close();
  }
}
