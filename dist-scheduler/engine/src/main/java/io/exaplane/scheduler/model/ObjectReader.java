// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

import io.exaplane.scheduler.model.volume.Volumes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads Kubernetes objects of any kind into a {@link Cluster}. Kinds that decide nothing are passed
 * over. For one thread.
 */
public final class ObjectReader {
  private static final Set<String> WORKLOADS =
      Set.of("Service", "ReplicationController", "ReplicaSet", "StatefulSet");

  /** Kubernetes' own groups with dots; others have kinds of the same names. */
  private static final Set<String> GROUPS =
      Set.of("storage.k8s.io", "resource.k8s.io", "scheduling.k8s.io");

  private final Map<String, Consumer<Fields>> kinds = new HashMap<>();

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
    kinds.put("Node", object -> sink.put(nodes.read(object, name(object))));
    kinds.put("Pod", object -> sink.put(pods.read(object, name(object))));
    kinds.put("PodGroup", object -> sink.put(group(object)));
    readSurroundings(cluster.surroundings());
    readVolumes(cluster.volumes(), sink);
    DeviceReader devices = new DeviceReader(pool);
    kinds.put("DeviceClass", object -> sink.put(DeviceReader.deviceClass(object)));
    kinds.put("ResourceSlice", object -> sink.put(devices.slice(object)));
    kinds.put("ResourceClaim", object -> sink.put(ClaimReader.claim(object)));
  }

  private void readSurroundings(Surroundings to) {
    kinds.put(
        "Namespace",
        object ->
            to.putNamespace(name(object), Labels.of(object.child("metadata").stringMap("labels"))));
    kinds.put("PodDisruptionBudget", object -> to.putBudget(budget(object)));
    WORKLOADS.forEach(kind -> kinds.put(kind, object -> to.putWorkload(workload(kind, object))));
  }

  private void readVolumes(Volumes to, ObjectSink sink) {
    kinds.put("PersistentVolumeClaim", object -> sink.put(VolumeReader.claim(object)));
    kinds.put("PersistentVolume", object -> sink.put(VolumeReader.volume(object)));
    kinds.put("StorageClass", object -> sink.put(VolumeReader.storageClass(object)));
    kinds.put("CSINode", object -> sink.put(VolumeReader.csiNode(object)));
    kinds.put("CSIStorageCapacity", object -> sink.put(VolumeReader.capacity(object)));
    kinds.put("VolumeAttachment", object -> to.putAttachment(VolumeReader.attachment(object)));
    kinds.put(
        "CSIDriver",
        object -> to.putDriver(name(object), object.child("spec").bool("storageCapacity", false)));
  }

  /**
   * Takes an object.
   *
   * @return whether its kind is one that decides something
   * @throws InvalidObjectException if no API server would have stored it
   */
  public boolean read(Fields object) {
    String version = object.string("apiVersion", "v1");
    boolean custom =
        version.contains(".") && !GROUPS.contains(version.substring(0, version.indexOf('/')));
    Consumer<Fields> kind = custom ? null : kinds.get(object.string("kind"));
    if (kind == null) {
      return false;
    }
    kind.accept(object);
    return true;
  }

  private static String name(Fields object) {
    Fields meta = object.child("metadata");
    if (meta.string("name").isEmpty()) {
      throw new InvalidObjectException(
          object.path("metadata.name"), "nothing", "an object has to have one", "give it a name");
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

  private static PodGroup group(Fields object) {
    Fields gang = object.child("spec").child("schedulingPolicy").child("gang");
    return new PodGroup(
        object.child("metadata").string("namespace", "default"),
        name(object),
        (int) gang.integer("minCount", 0));
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
