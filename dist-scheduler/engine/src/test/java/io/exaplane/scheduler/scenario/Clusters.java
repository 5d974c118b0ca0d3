// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.scenario;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.Fields;
import io.exaplane.scheduler.model.ObjectReader;
import io.exaplane.scheduler.model.Version;
import java.util.List;
import java.util.Map;

/** Clusters of made-up objects. */
public final class Clusters {
  private Clusters() {}

  public static Cluster of(List<Map<String, Object>> objects, Version version) {
    Cluster cluster = new Cluster();
    ObjectReader reader = new ObjectReader(cluster, version);
    objects.forEach(object -> reader.read(Fields.of(object, "")));
    return cluster;
  }

  /** Lets objects come and go in between; the cluster is left with some of them. */
  public static void disturb(
      Cluster cluster, List<Map<String, Object>> passing, Dice dice, Runnable inBetween) {
    ObjectReader reader = new ObjectReader(cluster, Version.newest());
    for (Map<String, Object> object : passing) {
      boolean counts = object.get("kind").equals("Node") || object.get("kind").equals("Pod");
      if (counts && dice.chance(0.7)) {
        reader.read(Fields.of(object, ""));
      }
      if (dice.chance(0.1)) {
        inBetween.run();
      }
      if (counts && dice.chance(0.3)) {
        remove(cluster, object);
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

  private static void remove(Cluster cluster, Map<String, Object> object) {
    Fields meta = Fields.of(object, "").child("metadata");
    if (object.get("kind").equals("Node")) {
      cluster.removeNode(meta.string("name"));
    } else {
      cluster.removePod(meta.string("namespace") + "/" + meta.string("name"));
    }
  }
}
