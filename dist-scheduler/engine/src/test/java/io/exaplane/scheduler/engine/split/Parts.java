// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Dice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The nodes of a made-up cluster, dealt out to several at random; some may get none. */
final class Parts {
  private static final int MOST = 6;

  private final Cluster whole;
  private final Dice dice;
  private final List<Cluster> all = new ArrayList<>();
  private final Map<String, Cluster> owners = new HashMap<>();
  private final List<Node> gone = new ArrayList<>();
  private final Map<String, Map<String, Object>> objects = new HashMap<>();
  private final Version version;

  @SuppressWarnings("unchecked")
  Parts(List<Map<String, Object>> objects, Version version, Dice dice) {
    this.version = version;
    for (Map<String, Object> object : objects) {
      if (object.get("kind").equals("Node")) {
        this.objects.put(
            (String) ((Map<String, Object>) object.get("metadata")).get("name"), object);
      }
    }
    this.dice = dice;
    whole = Clusters.of(objects, version);
    List<Map<String, Object>> others =
        objects.stream().filter(o -> !List.of("Node", "Pod").contains(o.get("kind"))).toList();
    int count = 1 + dice.below(MOST);
    for (int i = 0; i < count; i++) {
      List<Map<String, Object>> inAnyOrder = new ArrayList<>(others);
      Collections.shuffle(inAnyOrder, new Random(dice.below(Integer.MAX_VALUE)));
      all.add(Clusters.of(inAnyOrder, version));
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
    String name = anyNode();
    Cluster from = owners.get(name);
    Cluster to = dice.one(all);
    Node node = node(from, name);
    if (node == null) {
      return;
    }
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

  /** Something happens to a node, in another cluster that has all of them, too. */
  void change(Cluster one) {
    gone.forEach(node -> put(node, one));
    gone.clear();
    String name = anyNode();
    Node node = node(one, name);
    if (dice.chance(0.3)) {
      one.removeNode(name);
      owners.get(name).removeNode(name);
      gone.add(node);
    } else {
      put(changed(name, anyNode()), one);
    }
  }

  private void put(Node node, Cluster one) {
    one.putNode(node);
    owners.get(node.name()).putNode(node);
  }

  /** It has the labels and images of another one now, but for its host name. */
  @SuppressWarnings("unchecked")
  private Node changed(String name, String other) {
    Map<String, Object> object = new HashMap<>(objects.get(name));
    Map<String, Object> meta = new HashMap<>((Map<String, Object>) object.get("metadata"));
    Map<String, Object> labels =
        new HashMap<>(
            (Map<String, Object>)
                ((Map<String, Object>) objects.get(other).get("metadata")).get("labels"));
    labels.put("kubernetes.io/hostname", name);
    meta.put("labels", labels);
    object.put("metadata", meta);
    object.put("status", objects.get(other).get("status"));
    Cluster cluster = Clusters.of(List.of(object), version);
    return cluster.nodes().node(cluster.nodeId(name));
  }

  private String anyNode() {
    return whole.nodes().node(dice.below(whole.nodes().size())).name();
  }

  private static Node node(Cluster cluster, String name) {
    int id = cluster.nodeId(name);
    return id < 0 ? null : cluster.nodes().node(id);
  }
}
