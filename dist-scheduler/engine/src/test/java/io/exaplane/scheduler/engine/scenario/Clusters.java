// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import java.util.List;
import java.util.Map;

/** Clusters of made-up objects. */
public final class Clusters {
  /** Some time in 2026. */
  private static final long NOW_NS = 1_790_000_000_000_000_000L;

  private Clusters() {}

  public static Cluster of(List<Map<String, Object>> objects, Version version) {
    return of(objects, version, new KnownSelectors());
  }

  /** With selectors that are compiled by this. */
  public static Cluster of(
      List<Map<String, Object>> objects, Version version, SelectorCompiler compiler) {
    return of(new Cluster(compiler), objects, version);
  }

  /** One that forgets what its pods were like soon after they went. */
  public static Cluster forgetful(List<Map<String, Object>> objects, Version version, int classes) {
    return of(new Cluster(new KnownSelectors(), classes), objects, version);
  }

  private static Cluster of(Cluster cluster, List<Map<String, Object>> objects, Version version) {
    cluster.devices().tick(NOW_NS);
    ObjectReader reader = new ObjectReader(cluster, version);
    objects.forEach(object -> reader.read(Fields.of(object, "")));
    return cluster;
  }

  /** Lets objects come and go in between; the cluster is left with some of them. */
  public static void disturb(
      Cluster cluster, List<Map<String, Object>> passing, Dice dice, Runnable inBetween) {
    ObjectReader reader = new ObjectReader(cluster, Version.newest());
    for (Map<String, Object> object : passing) {
      if (dice.chance(0.7)) {
        reader.read(Fields.of(object, ""));
      }
      if (dice.chance(0.1)) {
        inBetween.run();
      }
      if (dice.chance(0.3)) {
        remove(reader, object);
      }
    }
    for (Map<String, Object> object : passing) {
      if (!object.get("kind").equals("Node") && !object.get("kind").equals("Pod")) {
        remove(reader, object);
      }
    }
  }

  /** Removes all nodes and pods but these, and takes these anew. */
  public static void restore(Cluster cluster, List<Map<String, Object>> objects) {
    cluster.pods().stream().map(pod -> pod.pod().key()).toList().forEach(cluster::removePod);
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (cluster.nodes().node(node) != null) {
        cluster.removeNode(cluster.nodes().node(node).name());
      }
    }
    ObjectReader reader = new ObjectReader(cluster, Version.newest());
    objects.forEach(object -> reader.read(Fields.of(object, "")));
  }

  private static void remove(ObjectReader reader, Map<String, Object> object) {
    Fields meta = Fields.of(object, "").child("metadata");
    String namespace = meta.string("namespace");
    reader.remove((String) object.get("kind"), namespace, meta.string("name"));
  }
}
