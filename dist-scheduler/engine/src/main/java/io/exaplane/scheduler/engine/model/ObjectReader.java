// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import io.exaplane.scheduler.engine.model.volume.Volumes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Reads Kubernetes objects of any kind into a {@link Cluster}. Kinds that decide nothing are passed
 * over. For one thread.
 */
public final class ObjectReader {
  private static final String CORE = "v1";
  private static final String STORAGE = "storage.k8s.io/v1";
  private static final String APPS = "apps/v1";
  private static final Map<String, String> WORKLOADS =
      Map.of(
          "Service", CORE, "ReplicationController", CORE, "ReplicaSet", APPS, "StatefulSet", APPS);

  /**
   * A kind that decides something.
   *
   * @param versions those that are read, of one group, the newest first
   * @param remover takes namespace and name
   */
  private record Kind(
      List<String> versions, Consumer<Fields> reader, BiConsumer<String, String> remover) {}

  private final Map<String, Kind> kinds = new HashMap<>();

  /** Of the objects of a cluster. */
  public ObjectReader(Cluster cluster, Version version) {
    this(cluster, ObjectSink.into(cluster), version);
  }

  /**
   * Of the objects of a cluster.
   *
   * @param sink takes those that pods may wait for; it has to bring the cluster up to date
   */
  public ObjectReader(Cluster cluster, ObjectSink sink, Version version) {
    Pool pool = new Pool();
    RequestsReader requests = new RequestsReader(version);
    PodReader pods = new PodReader(pool, version, requests);
    NodeReader nodes = new NodeReader(pool, requests);
    add(
        CORE,
        "Node",
        object -> sink.put(nodes.read(object, name(object))),
        (_, name) -> sink.removeNode(name));
    add(
        CORE,
        "Pod",
        object -> sink.put(pods.read(object, name(object))),
        (namespace, name) -> sink.removePod(key(namespace, name)));
    kinds.put(
        "PodGroup",
        new Kind(
            PodGroupReader.apiVersions(version),
            object -> sink.put(PodGroupReader.read(object, name(object), version)),
            (namespace, name) -> sink.removePodGroup(key(namespace, name))));
    readSurroundings(cluster.surroundings());
    readClaims(cluster.volumes(), sink);
    readStorage(cluster.volumes(), sink);
    readDevices(new DeviceReader(pool), cluster, sink);
    if (version.atLeast(Version.V1_37)) {
      addOfDevices(
          "DeviceTaintRule",
          object -> sink.put(DeviceReader.taintRule(object)),
          (_, name) -> sink.removeTaintRule(name));
    }
  }

  private void add(
      String version, String kind, Consumer<Fields> reader, BiConsumer<String, String> remover) {
    kinds.put(kind, new Kind(List.of(version), reader, remover));
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  private void readSurroundings(Surroundings to) {
    add(
        CORE,
        "Namespace",
        object ->
            to.putNamespace(name(object), Labels.of(object.child("metadata").stringMap("labels"))),
        (_, name) -> to.removeNamespace(name));
    add(
        "policy/v1",
        "PodDisruptionBudget",
        object -> to.putBudget(budget(object)),
        (namespace, name) -> to.removeBudget(key(namespace, name)));
    WORKLOADS.forEach(
        (kind, version) ->
            add(
                version,
                kind,
                object -> to.putWorkload(workload(kind, object)),
                (namespace, name) -> to.removeWorkload(kind, namespace, name)));
  }

  private void readClaims(Volumes to, ObjectSink sink) {
    add(
        CORE,
        "PersistentVolumeClaim",
        object -> sink.put(VolumeReader.claim(object)),
        (namespace, name) -> to.removeClaim(key(namespace, name)));
    add(
        CORE,
        "PersistentVolume",
        object -> sink.put(VolumeReader.volume(object)),
        (_, name) -> to.removeVolume(name));
    add(
        STORAGE,
        "VolumeAttachment",
        object -> to.putAttachment(VolumeReader.attachment(object)),
        (_, name) -> sink.removeAttachment(name));
  }

  private void readStorage(Volumes to, ObjectSink sink) {
    add(
        STORAGE,
        "StorageClass",
        object -> sink.put(VolumeReader.storageClass(object)),
        (_, name) -> to.removeClass(name));
    add(
        STORAGE,
        "CSINode",
        object -> sink.put(VolumeReader.csiNode(object)),
        (_, name) -> to.removeNode(name));
    add(
        STORAGE,
        "CSIStorageCapacity",
        object -> sink.put(VolumeReader.capacity(object)),
        (namespace, name) -> to.removeCapacity(key(namespace, name)));
    add(
        STORAGE,
        "CSIDriver",
        object -> to.putDriver(VolumeReader.driver(object, name(object))),
        (_, name) -> to.removeDriver(name));
  }

  private void readDevices(DeviceReader devices, Cluster cluster, ObjectSink sink) {
    addOfDevices(
        "DeviceClass",
        object -> sink.put(DeviceReader.deviceClass(object)),
        (_, name) -> cluster.surroundings().removeDeviceClass(name));
    addOfDevices(
        "ResourceSlice",
        object -> sink.put(devices.slice(object)),
        (_, name) -> cluster.devices().removeSlice(name));
    addOfDevices(
        "ResourceClaim",
        object -> sink.put(ClaimReader.claim(object)),
        (namespace, name) -> sink.removeResourceClaim(key(namespace, name)));
  }

  /** v1beta2 has the same shape; versions before it have another. */
  private void addOfDevices(
      String kind, Consumer<Fields> reader, BiConsumer<String, String> remover) {
    List<String> versions = List.of("resource.k8s.io/v1", "resource.k8s.io/v1beta2");
    kinds.put(kind, new Kind(versions, reader, remover));
  }

  /**
   * Takes an object; one without a version is taken to be of the one that is read.
   *
   * @return whether its kind is one that decides something
   * @throws InvalidObjectException if no API server would have stored it
   */
  public boolean read(Fields object) {
    Kind kind = kinds.get(object.string("kind"));
    if (kind == null) {
      return false;
    }
    String read = kind.versions().getFirst();
    String version = object.string("apiVersion", read);
    if (!kind.versions().contains(version)) {
      if (!group(version).equals(group(read))) {
        return false;
      }
      throw new InvalidObjectException(
          object.path("apiVersion"),
          version,
          "it has to be " + read,
          "ask the API server for it, for example with 'kubectl get resourceslices.v1.resource.k8s.io'");
    }
    kind.reader().accept(object);
    return true;
  }

  /**
   * An object that {@link #read} took is gone.
   *
   * @param namespace empty if its kind has none
   */
  public void remove(String kind, String namespace, String name) {
    Kind known = kinds.get(kind);
    if (known != null) {
      known.remover().accept(namespace, name);
    }
  }

  /** By kind, the version that is read first of all. */
  public Map<String, String> versions() {
    Map<String, String> versions = new TreeMap<>();
    kinds.forEach((kind, one) -> versions.put(kind, one.versions().getFirst()));
    return versions;
  }

  /** The group of an API version; empty for the core's. */
  public static String group(String version) {
    int slash = version.indexOf('/');
    return slash < 0 ? "" : version.substring(0, slash);
  }

  private static String name(Fields object) {
    Fields meta = object.child("metadata");
    if (meta.string("name").isEmpty()) {
      throw new InvalidObjectException(
          object.path("metadata.name"), "", "an object has to have one", "give it a name");
    }
    return meta.string("name");
  }

  private static Workload workload(String kind, Fields object) {
    Fields spec = object.child("spec");
    boolean byLabels = kind.equals(Workload.SERVICE) || kind.equals("ReplicationController");
    LabelSelector selector =
        !byLabels
            ? Selectors.labelSelector(spec, "selector")
            : spec.has("selector")
                ? LabelSelector.ofLabels(spec.stringMap("selector"))
                : LabelSelector.NOTHING;
    Fields meta = object.child("metadata");
    return new Workload(kind, meta.string("namespace", "default"), meta.string("name"), selector);
  }

  private static DisruptionBudget budget(Fields object) {
    Fields meta = object.child("metadata");
    Fields status = object.child("status");
    Set<String> disrupted = new HashSet<>();
    status.child("disruptedPods").names().forEach(disrupted::add);
    return new DisruptionBudget(
        meta.string("namespace", "default"),
        meta.string("name"),
        Selectors.labelSelector(object.child("spec"), "selector"),
        (int) status.integer("disruptionsAllowed", 0),
        disrupted);
  }
}
