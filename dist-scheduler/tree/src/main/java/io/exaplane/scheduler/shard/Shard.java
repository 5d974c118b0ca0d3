// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.shard;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Elsewhere;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.placement.BestOfCell;
import io.exaplane.scheduler.engine.placement.Cycle;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.tree.Change;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Some of a cluster's nodes, as the root told of them: it knows how many pods of which class are on
 * each, not which pods. It decides nothing: it only knows which nodes are the best. One thread.
 */
public final class Shard {
  private static final int NONE = -1;

  private final Cluster cluster = new Cluster();
  private final Map<String, Cycle> cycles = new HashMap<>();
  private final Map<Integer, PodClass> classes = new HashMap<>();
  private final Map<String, String> waiting = new HashMap<>();

  /** By the root's number, the number here, and the other way round. */
  private int[] numberHere = {};

  private int[] numberThere = {};
  private Change.Totals totals = new Change.Totals(0, Map.of(), Set.of());
  private boolean totalsChanged = true;

  /**
   * Without nodes.
   *
   * @param profiles one for each scheduler's name
   * @param seed by which ties are broken
   */
  public Shard(List<Profile> profiles, long seed) {
    for (Profile profile : profiles) {
      cycles.put(profile.schedulerName(), new Cycle(cluster, profile, seed));
    }
  }

  /** How many nodes it has. */
  public int nodes() {
    return cluster.nodesHere();
  }

  /**
   * Takes a change.
   *
   * @throws IllegalArgumentException if it speaks of a node or class of which it was not told
   */
  public void apply(Change change) {
    switch (change) {
      case Change.NodePut put -> put(put.number(), put.node());
      case Change.NodeGone gone -> remove(gone.number());
      case Change.ClassPut put -> joins(put.number(), put.pods());
      case Change.ClassGone gone -> cluster.leave(classes.remove(gone.number()));
      case Change.Count count ->
          cluster.count(podClass(count.podClass()), here(count.node()), count.more());
      case Change.Waits waits -> waits(waits);
      case Change.WaitsNoMore gone -> cluster.removePod(waiting.remove(gone.pod()));
      case Change.Wish wish -> cluster.addNeighbours(wish.wish());
      case Change.WishGone gone -> cluster.removeNeighbours(gone.wish());
      case Change.Namespace namespace -> {
        if (namespace.labels() == null) {
          cluster.surroundings().removeNamespace(namespace.name());
        } else {
          cluster.surroundings().putNamespace(namespace.name(), namespace.labels());
        }
      }
      case Change.WorkloadPut put -> cluster.surroundings().putWorkload(put.workload());
      case Change.WorkloadGone gone ->
          cluster.surroundings().removeWorkload(gone.kind(), gone.namespace(), gone.name());
      case Change.DeviceClassPut put -> cluster.surroundings().putDeviceClass(put.deviceClass());
      case Change.DeviceClassGone gone -> cluster.surroundings().removeDeviceClass(gone.name());
      case Change.Totals now -> {
        totals = now;
        totalsChanged = true;
      }
    }
  }

  private void put(int number, Node node) {
    cluster.putNode(node);
    int here = cluster.nodeId(node.name());
    numberHere = with(numberHere, number, here);
    numberThere = with(numberThere, here, number);
    totalsChanged = true;
  }

  private static int[] with(int[] numbers, int at, int number) {
    int[] grown = numbers;
    if (at >= numbers.length) {
      grown = Arrays.copyOf(numbers, Math.max(at + 1, 2 * numbers.length));
      Arrays.fill(grown, numbers.length, grown.length, NONE);
    }
    grown[at] = number;
    return grown;
  }

  private void remove(int number) {
    int here = here(number);
    cluster.removeNode(cluster.nodes().node(here).name());
    numberHere[number] = NONE;
    totalsChanged = true;
  }

  private int here(int number) {
    int here = number < numberHere.length ? numberHere[number] : NONE;
    if (here == NONE) {
      throw new IllegalArgumentException(
          "node " + number + ": this shard does not know the number");
    }
    return here;
  }

  private void joins(int number, PodSpec pods) {
    classes.put(number, cluster.join(pods));
  }

  private PodClass podClass(int number) {
    PodClass known = classes.get(number);
    if (known == null) {
      throw new IllegalArgumentException(
          "class " + number + ": this shard does not know the number");
    }
    return known;
  }

  private void waits(Change.Waits waits) {
    PodSpec spec = podClass(waits.podClass()).spec();
    String name = waits.pod().substring(waits.pod().indexOf('/') + 1);
    Pod pod = new Pod(name, spec, "", "", waits.node(), false, 0, 0, false, "");
    cluster.putPod(pod);
    waiting.put(waits.pod(), pod.key());
  }

  /**
   * Its best nodes for a class of pods, with the root's numbers.
   *
   * @param most so many of each cell
   * @return null if it cannot tell
   */
  public List<BestOfCell> best(int podClass, int most) {
    if (totalsChanged) {
      totalsChanged = false;
      hearOfOthers();
    }
    PodClass pods = podClass(podClass);
    Cycle cycle = cycles.get(pods.spec().schedulerName());
    List<BestOfCell> best =
        cycle == null || nodes() == 0 ? List.of() : cycle.bestOfEach(pods, most);
    return best == null ? null : best.stream().map(this::withNumbersThere).toList();
  }

  private void hearOfOthers() {
    Map<String, Integer> images = new HashMap<>();
    Map<String, Integer> own = cluster.images().here();
    totals
        .imageNodes()
        .forEach((image, nodes) -> images.put(image, nodes - own.getOrDefault(image, 0)));
    cluster.putElsewhere(
        new Elsewhere.Nodes(totals.nodes() - nodes(), images, Map.of(), totals.unshared()));
  }

  private BestOfCell withNumbersThere(BestOfCell cell) {
    int[] there = Arrays.stream(cell.nodes()).map(node -> numberThere[node]).toArray();
    return new BestOfCell(cell.signature(), cell.size(), there, cell.scores(), cell.hashes());
  }
}
