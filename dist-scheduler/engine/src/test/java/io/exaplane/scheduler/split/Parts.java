// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.split;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.Node;
import io.exaplane.scheduler.model.PlacedPod;
import io.exaplane.scheduler.model.Pod;
import io.exaplane.scheduler.model.Version;
import io.exaplane.scheduler.scenario.Clusters;
import io.exaplane.scheduler.scenario.Dice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a made-up cluster, dealt out to several at random; some may get none. */
final class Parts {
  private static final int MOST = 6;

  private final Cluster whole;
  private final Dice dice;
  private final List<Cluster> all = new ArrayList<>();
  private final Map<String, Cluster> owners = new HashMap<>();

  Parts(List<Map<String, Object>> objects, Version version, Dice dice) {
    this.dice = dice;
    whole = Clusters.of(objects, version);
    List<Map<String, Object>> others =
        objects.stream().filter(o -> !List.of("Node", "Pod").contains(o.get("kind"))).toList();
    int count = 1 + dice.below(MOST);
    for (int i = 0; i < count; i++) {
      all.add(Clusters.of(others, version));
    }
    for (int id = 0; id < whole.nodes().size(); id++) {
      Node node = whole.nodes().node(id);
      Cluster owner = dice.one(all);
      owners.put(node.name(), owner);
      owner.putNode(node);
    }
    for (PlacedPod placed : whole.pods()) {
      Cluster owner = owners.get(place(placed.pod()));
      if (owner != null) {
        owner.putPod(placed.pod());
      }
    }
  }

  List<Cluster> all() {
    return all;
  }

  private static String place(Pod pod) {
    return pod.nodeName().isEmpty() ? pod.nominatedNode() : pod.nodeName();
  }

  /** Another part gets one of the nodes, with the pods that are on it or wait for it. */
  void handOver() {
    Node node = whole.nodes().node(dice.below(whole.nodes().size()));
    Cluster from = owners.get(node.name());
    Cluster to = dice.one(all);
    from.removeNode(node.name());
    to.putNode(node);
    for (PlacedPod placed : List.copyOf(from.pods())) {
      if (to != from && place(placed.pod()).equals(node.name())) {
        from.removePod(placed.pod().key());
        to.putPod(placed.pod());
      }
    }
    owners.put(node.name(), to);
  }
}
