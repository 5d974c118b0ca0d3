// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Reads Kubernetes objects of any kind into a {@link Cluster}. Kinds that decide nothing are passed
 * over. For one thread.
 */
public final class ObjectReader {
  private static final Set<String> WORKLOADS =
      Set.of("Service", "ReplicationController", "ReplicaSet", "StatefulSet");

  private final Cluster cluster;
  private final PodReader pods;
  private final NodeReader nodes;
  private final Map<String, BiConsumer<Fields, Cluster>> kinds = new HashMap<>();

  public ObjectReader(Cluster cluster, Version version) {
    this.cluster = cluster;
    Pool pool = new Pool();
    RequestsReader requests = new RequestsReader(version);
    pods = new PodReader(pool, version, requests);
    nodes = new NodeReader(pool, requests);
    kinds.put("Node", (object, to) -> to.putNode(nodes.read(object)));
    kinds.put("Pod", (object, to) -> to.putPod(pods.read(object)));
    kinds.put(
        "Namespace",
        (object, to) ->
            to.surroundings()
                .putNamespace(
                    object.child("metadata").string("name"),
                    Labels.of(object.child("metadata").stringMap("labels"))));
    kinds.put("PodDisruptionBudget", (object, to) -> to.surroundings().putBudget(budget(object)));
    kinds.put(
        "DeviceClass",
        (object, to) ->
            to.surroundings()
                .putDeviceClass(
                    object.child("metadata").string("name"),
                    object.child("spec").string("extendedResourceName")));
    WORKLOADS.forEach(
        kind ->
            kinds.put(kind, (object, to) -> to.surroundings().putWorkload(workload(kind, object))));
  }

  /**
   * Takes an object.
   *
   * @return whether its kind is one that decides something
   * @throws InvalidObjectException if no API server would have stored it
   */
  public boolean read(Fields object) {
    BiConsumer<Fields, Cluster> kind = kinds.get(object.string("kind"));
    if (kind == null) {
      return false;
    }
    kind.accept(object, cluster);
    return true;
  }

  private static Workload workload(String kind, Fields object) {
    Fields spec = object.child("spec");
    boolean byLabels = kind.equals(Workload.SERVICE) || kind.equals("ReplicationController");
    LabelSelector selector =
        !byLabels
            ? SelectorReader.labelSelector(spec, "selector")
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
        SelectorReader.labelSelector(object.child("spec"), "selector"),
        (int) status.integer("disruptionsAllowed", 0),
        disrupted);
  }
}
