// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.gather;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.ClusterFollower;
import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Workload;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import io.exaplane.scheduler.membership.Shares;
import io.exaplane.scheduler.membership.VirtualShards;
import io.exaplane.scheduler.tree.Change;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;

/**
 * Tells members of the nodes that are theirs, and of what all have to know. A node is told as it is
 * when its turn comes, and what happens to it from then on. For the cluster's thread; three bytes a
 * node.
 */
final class Teller implements ClusterFollower {
  private final Cluster cluster;
  private final BiConsumer<Integer, Change> send;
  private final Classes classes;
  private final SortedSet<Integer> members = new TreeSet<>();
  private final Map<String, Classes.Known> waiting = new LinkedHashMap<>();
  private int[] owners = Shares.none();
  private char[] partOf = {};
  private final BitSet told = new BitSet();
  private int toldCount;
  private int next;

  /**
   * Of a cluster, to nobody yet.
   *
   * @param send takes changes for members, in order
   */
  Teller(Cluster cluster, BiConsumer<Integer, Change> send) {
    this.cluster = cluster;
    this.send = send;
    classes = new Classes(send);
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (cluster.nodes().node(node) != null) {
        setPart(node, cluster.nodes().node(node).name());
        for (PlacedPod pod = cluster.nodes().firstPod(node); pod != null; pod = pod.next()) {
          classes.comes(pod.podClass());
        }
      }
    }
    cluster.pods().stream()
        .map(PlacedPod::pod)
        .filter(pod -> pod.nodeName().isEmpty() && !pod.nominatedNode().isEmpty())
        .forEach(this::waits);
  }

  /** A member has nothing yet, and gets its share when nodes are dealt out. */
  void joins(int member) {
    members.add(member);
    cluster.wishes().all().forEach(wish -> send.accept(member, new Change.Wish(wish)));
    cluster.surroundings().tellAll(only(member));
  }

  private ClusterFollower only(int member) {
    return new ClusterFollower() {
      @Override
      public void namespace(String name, Labels labels) {
        send.accept(member, new Change.Namespace(name, labels));
      }

      @Override
      public void workloadPut(Workload workload) {
        send.accept(member, new Change.WorkloadPut(workload));
      }

      @Override
      public void deviceClassPut(DeviceClass deviceClass) {
        send.accept(member, new Change.DeviceClassPut(deviceClass));
      }
    };
  }

  /** A member is gone; what it had is nobody's until nodes are dealt out. */
  void leaves(int member) {
    members.remove(member);
    classes.forget(member);
    for (int node = told.nextSetBit(0); node >= 0; node = told.nextSetBit(node + 1)) {
      if (owners[partOf[node]] == member) {
        told.clear(node);
        toldCount--;
      }
    }
    for (int part = 0; part < owners.length; part++) {
      owners[part] = owners[part] == member ? Shares.NOBODY : owners[part];
    }
  }

  /** Gives each member its share. */
  void deal(SortedMap<Integer, Double> weights) {
    int[] after = Shares.deal(owners, weights);
    for (int node = told.nextSetBit(0); node >= 0; node = told.nextSetBit(node + 1)) {
      int owner = owners[partOf[node]];
      if (after[partOf[node]] != owner) {
        takeAway(node, owner);
      }
    }
    owners = after;
    next = 0;
  }

  private void takeAway(int node, int owner) {
    counts(node).forEach((known, count) -> count(owner, node, known, -count));
    tellGone(node, owner);
  }

  private void tellGone(int node, int owner) {
    for (PlacedPod guest : cluster.nominated(node)) {
      send.accept(owner, new Change.WaitsNoMore(guest.pod().key()));
    }
    send.accept(owner, new Change.NodeGone(node));
    told.clear(node);
    toldCount--;
  }

  private Map<Classes.Known, Integer> counts(int node) {
    Map<Classes.Known, Integer> counts = new LinkedHashMap<>();
    for (PlacedPod pod = cluster.nodes().firstPod(node); pod != null; pod = pod.next()) {
      counts.merge(classes.ofPlaced(pod.podClass()), 1, Integer::sum);
    }
    return counts;
  }

  /**
   * Tells of some nodes that were not told of yet.
   *
   * @param mayHear which members can take more
   * @return whether there are more of which somebody can be told at once
   */
  boolean goOn(int most, IntPredicate mayHear) {
    int count = 0;
    int at = next;
    boolean skipped = false;
    for (; at < cluster.nodes().size() && count < most; at++) {
      int owner = told.get(at) || cluster.nodes().node(at) == null ? Shares.NOBODY : owner(at);
      if (owner != Shares.NOBODY && mayHear.test(owner)) {
        tell(at, owner);
        count++;
      } else {
        skipped |= owner != Shares.NOBODY;
      }
      next = skipped ? next : at + 1;
    }
    classes.tidy();
    return count == most;
  }

  /** Whether all nodes are told of. */
  boolean isComplete() {
    return !members.isEmpty() && toldCount == cluster.nodesHere();
  }

  private int owner(int node) {
    return owners[partOf[node]];
  }

  private void tell(int node, int owner) {
    told.set(node);
    toldCount++;
    send.accept(owner, new Change.NodePut(node, cluster.nodes().node(node)));
    counts(node).forEach((known, count) -> count(owner, node, known, count));
    for (PlacedPod guest : cluster.nominated(node)) {
      tellWaits(owner, guest.pod(), classes.ofPlaced(guest.podClass()));
    }
  }

  private void count(int owner, int node, Classes.Known known, int more) {
    send.accept(owner, new Change.Count(node, classes.tell(owner, known), more));
  }

  private void tellWaits(int owner, Pod pod, Classes.Known known) {
    String node = pod.nominatedNode();
    send.accept(owner, new Change.Waits(pod.key(), node, classes.tell(owner, known)));
  }

  /** The number of a class that all members know from here on. */
  int tellAll(PodSpec pods) {
    Classes.Known known = classes.of(pods);
    members.forEach(member -> classes.tell(member, known));
    return known.number();
  }

  private void toAll(Change change) {
    members.forEach(member -> send.accept(member, change));
  }

  private void setPart(int node, String name) {
    if (node >= partOf.length) {
      partOf = Arrays.copyOf(partOf, Math.max(node + 1, Math.max(16, 2 * partOf.length)));
    }
    partOf[node] = (char) VirtualShards.of(name);
  }

  @Override
  public void nodePut(int id, Node node) {
    setPart(id, node.name());
    if (owner(id) == Shares.NOBODY) {
      next = Math.min(next, id);
    } else if (told.get(id)) {
      send.accept(owner(id), new Change.NodePut(id, node));
    } else {
      tell(id, owner(id));
    }
  }

  @Override
  public void nodeGone(int id) {
    if (told.get(id)) {
      tellGone(id, owner(id));
    }
  }

  @Override
  public void podCame(int node, PodClass pods) {
    Classes.Known known = classes.comes(pods);
    if (told.get(node)) {
      count(owner(node), node, known, 1);
    }
  }

  @Override
  public void podWent(int node, PodClass pods) {
    Classes.Known known = classes.leaves(pods);
    if (told.get(node)) {
      count(owner(node), node, known, -1);
    }
  }

  @Override
  public void waits(Pod pod) {
    Classes.Known known = classes.of(pod.spec().asSeenByOthers());
    classes.use(known, 1);
    waiting.put(pod.key(), known);
    int node = cluster.nodeId(pod.nominatedNode());
    if (node >= 0 && told.get(node)) {
      tellWaits(owner(node), pod, known);
    }
  }

  @Override
  public void waitsNoMore(Pod pod) {
    Classes.Known known = waiting.remove(pod.key());
    if (known != null) {
      classes.use(known, -1);
    }
    int node = cluster.nodeId(pod.nominatedNode());
    if (node >= 0 && told.get(node)) {
      send.accept(owner(node), new Change.WaitsNoMore(pod.key()));
    }
  }

  @Override
  public void wish(PodSpec.Neighbours wish) {
    toAll(new Change.Wish(wish));
  }

  @Override
  public void wishGone(PodSpec.Neighbours wish) {
    toAll(new Change.WishGone(wish));
  }

  @Override
  public void namespace(String name, Labels labels) {
    toAll(new Change.Namespace(name, labels));
  }

  @Override
  public void workloadPut(Workload workload) {
    toAll(new Change.WorkloadPut(workload));
  }

  @Override
  public void workloadGone(String kind, String namespace, String name) {
    toAll(new Change.WorkloadGone(kind, namespace, name));
  }

  @Override
  public void deviceClassPut(DeviceClass deviceClass) {
    toAll(new Change.DeviceClassPut(deviceClass));
  }

  @Override
  public void deviceClassGone(String name) {
    toAll(new Change.DeviceClassGone(name));
  }
}
