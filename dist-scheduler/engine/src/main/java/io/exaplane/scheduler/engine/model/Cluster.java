// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import io.exaplane.scheduler.engine.model.device.Devices;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.engine.model.volume.Volume;
import io.exaplane.scheduler.engine.model.volume.Volumes;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All that decides about pods, as it is now: nodes, the pods on them, those that wait, and the
 * objects that they refer to. What it holds depends on what is there and not on the order in which
 * it came. One thread at a time.
 *
 * <p>Longer than others: whatever changes with a pod's place (node, classes, counters, nominations,
 * who follows) changes together, in one place.
 */
public final class Cluster {
  private final ScalarNames scalarNames = new ScalarNames();
  private final NodeTable nodes = new NodeTable();
  private final Map<String, Integer> nodeIds = new HashMap<>();
  private final Deque<Integer> freeIds = new ArrayDeque<>();
  private final Map<String, PlacedPod> pods = new LinkedHashMap<>();
  private final Map<String, Map<String, PlacedPod>> withoutNode = new HashMap<>();
  private final CountedPods counted = new CountedPods();
  private final Tallies tallies = new Tallies(this);
  private final PodClasses classes;
  private final Wishes wishes = new Wishes();
  private final Map<String, Integer> claimUsers = new HashMap<>();
  private final Nominations nominations = new Nominations();
  private final PodGroups groups = new PodGroups();
  private final Elsewhere elsewhere = new Elsewhere();
  private final Topologies topologies = new Topologies(nodes, elsewhere);
  private final Images images = new Images(elsewhere);
  private final ChangedNodes changes = new ChangedNodes();
  private final TreeMap<Integer, Integer> podsByPriority = new TreeMap<>();
  private final Surroundings surroundings = new Surroundings();
  private final Volumes volumes = new Volumes();
  private final Devices devices;
  private ClusterFollower follower = ClusterFollower.NONE;
  private long nodesVersion;
  private long arrivals;

  /** An empty one whose pods claim no devices by selectors. */
  public Cluster() {
    this(SelectorCompiler.NONE);
  }

  /**
   * An empty one.
   *
   * @param compiler of the selectors by which pods claim devices
   */
  public Cluster(SelectorCompiler compiler) {
    this(compiler, PodClasses.FEW);
  }

  /**
   * An empty one.
   *
   * @param compiler of the selectors by which pods claim devices
   * @param unusedClasses so many classes are kept that have no pods any more
   */
  public Cluster(SelectorCompiler compiler, int unusedClasses) {
    devices = new Devices(compiler);
    classes = new PodClasses(scalarNames, unusedClasses, this::born, this::classesWent);
  }

  /** Tells somebody, in place of whom it told before, of all that changes from now on. */
  public void tell(ClusterFollower hears) {
    follower = hears;
    surroundings.tell(hears);
  }

  public NodeTable nodes() {
    return nodes;
  }

  /** How many nodes there are, here and elsewhere. */
  public int nodeCount() {
    return nodeIds.size() + elsewhere.nodes();
  }

  /** How many nodes it has itself. */
  public int nodesHere() {
    return nodeIds.size();
  }

  /** What there is on nodes that it does not have. */
  public Elsewhere elsewhere() {
    return elsewhere;
  }

  /** Takes which nodes others have, in place of what was told before. */
  public void putElsewhere(Elsewhere.Nodes others) {
    if (elsewhere.take(others)) {
      nodesVersion++;
      topologies.othersChanged();
    }
  }

  /** The number of a node, or -1. */
  public int nodeId(String name) {
    return nodeIds.getOrDefault(name, -1);
  }

  /** Changes whenever a node does; what was worked out of nodes is worth nothing then. */
  public long nodesVersion() {
    return nodesVersion;
  }

  /** Adds a node, or takes its new state. */
  public void putNode(Node node) {
    Integer known = nodeIds.get(node.name());
    if (known != null && nodes.node(known).equals(node)) {
      return;
    }
    nodesVersion++;
    if (known != null) {
      images.remove(nodes.node(known));
    }
    int id = known != null ? known : freeIds.isEmpty() ? nodes.size() : freeIds.pop();
    nodeIds.put(node.name(), id);
    nodes.set(id, node, scalarNames);
    images.add(node);
    topologies.put(id, node.labels());
    follower.nodePut(id, node);
    Map<String, PlacedPod> waiting = withoutNode.remove(node.name());
    if (waiting != null) {
      for (PlacedPod pod : waiting.values()) {
        place(pod, id);
        follower.podCame(id, pod.podClass());
      }
    }
  }

  /** Removes a node; pods that say they are on it count again when it is back. */
  public void removeNode(String name) {
    Integer id = nodeIds.remove(name);
    if (id == null) {
      return;
    }
    nodesVersion++;
    for (PlacedPod pod = nodes.firstPod(id); pod != null; pod = nodes.firstPod(id)) {
      unplace(pod);
      follower.podWent(id, pod.podClass());
      withoutNode.computeIfAbsent(name, n -> new LinkedHashMap<>()).put(pod.pod().key(), pod);
    }
    follower.nodeGone(id);
    images.remove(nodes.node(id));
    nodes.clear(id);
    topologies.put(id, null);
    freeIds.push(id);
  }

  /** Adds a pod, or takes its new state. */
  public void putPod(Pod pod) {
    removePod(pod.key());
    PlacedPod entry = new PlacedPod(pod, classes.join(pod.spec()));
    pods.put(pod.key(), entry);
    settle(entry);
  }

  public void removePod(String key) {
    PlacedPod pod = pods.remove(key);
    if (pod != null) {
      unsettle(pod);
      classes.leave(pod.podClass());
    }
  }

  /** The pod with this key, or null. */
  public PlacedPod pod(String key) {
    return pods.get(key);
  }

  /** All pods, in the order in which they came. */
  public Collection<PlacedPod> pods() {
    return pods.values();
  }

  /**
   * There are so many more pods of a class on a node that are not known one by one, or less. Who
   * counts pods so cannot have others go for them.
   */
  public void count(PodClass pods, int node, int more) {
    changes.add(node);
    counted.add(node, pods, more);
    for (int i = 0; i < Math.abs(more); i++) {
      countOne(pods, node, Integer.signum(more));
    }
  }

  /** The class of pods like this one; {@link #leave} has to follow. */
  public PodClass join(PodSpec spec) {
    return classes.join(spec);
  }

  /** Ends {@link #join}. */
  public void leave(PodClass pods) {
    classes.leave(pods);
  }

  /** Puts a pod that waits onto a node. */
  public void bind(PlacedPod pod, int node) {
    become(pod, pod.pod().on(nodes.node(node).name()));
  }

  /** Puts a pod that waits onto a node as it was when it was decided about, not as it is now. */
  public void bind(PlacedPod pod, Pod decided, int node) {
    Pod placed = decided.on(nodes.node(node).name());
    if (placed.spec().equals(pod.pod().spec())) {
      become(pod, placed);
    } else {
      putPod(placed);
    }
  }

  /** Lets a pod that waits wait for a node, or, if the name is empty, for none. */
  public void nominate(PlacedPod pod, String node) {
    become(pod, pod.pod().nominatedTo(node));
  }

  /** Takes a pod's new place, on a node or waiting for one; what it asks for stays as it was. */
  public void become(PlacedPod pod, Pod now) {
    unsettle(pod);
    pod.pod = now;
    settle(pod);
  }

  /** The pods that wait for this node; none of them is on it. */
  public List<PlacedPod> nominated(int node) {
    return nominations.of(nodes.node(node).name());
  }

  /** Changes whenever a pod begins or ceases to wait for a node. */
  public long nominationsVersion() {
    return nominations.version();
  }

  public boolean hasNominations() {
    return !nominations.isEmpty();
  }

  /** Puts a pod onto a node for the time of a thought; {@link #unplace} ends it. */
  public void place(PlacedPod pod, int node) {
    pod.node = node;
    pod.previous = null;
    pod.next = nodes.firstPod[node];
    if (pod.next != null) {
      pod.next.previous = pod;
    }
    nodes.firstPod[node] = pod;
    count(pod, node, 1);
  }

  /**
   * Puts the like of a pod that waits onto a node for the time of a thought, while the pod itself
   * goes on waiting; {@link #unplace} ends it.
   */
  public PlacedPod placeLike(PlacedPod pod, int node) {
    PlacedPod like = new PlacedPod(pod.pod(), pod.podClass());
    place(like, node);
    return like;
  }

  public void unplace(PlacedPod pod) {
    if (pod.previous == null) {
      nodes.firstPod[pod.node] = pod.next;
    } else {
      pod.previous.next = pod.next;
    }
    if (pod.next != null) {
      pod.next.previous = pod.previous;
    }
    count(pod, pod.node, -1);
    pod.next = null;
    pod.previous = null;
    pod.node = PlacedPod.NOWHERE;
  }

  private void count(PlacedPod pod, int node, int sign) {
    for (Volume volume : pod.spec().volumes()) {
      if (volume.kind() == Volume.Kind.CLAIM) {
        String claim = pod.spec().namespace() + "/" + volume.id();
        claimUsers.merge(claim, sign, (x, y) -> x + y == 0 ? null : x + y);
      }
    }
    countOne(pod.podClass(), node, sign);
  }

  private void countOne(PodClass podClass, int node, int sign) {
    nodes.add(node, podClass, sign);
    podClass.placed += sign;
    for (int i = 0; i < podClass.counters.length; i++) {
      podClass.counters[i].add(node, sign * podClass.times[i]);
    }
  }

  private void settle(PlacedPod entry) {
    Pod pod = entry.pod();
    if (pod.finished()) {
      return;
    }
    groups.add(entry);
    if (!pod.nodeName().isEmpty()) {
      int node = nodeId(pod.nodeName());
      podsByPriority.merge(entry.spec().priority(), 1, Integer::sum);
      entry.arrival = ++arrivals;
      if (node >= 0) {
        changes.add(node);
        place(entry, node);
        follower.podCame(node, entry.podClass());
      } else {
        withoutNode
            .computeIfAbsent(pod.nodeName(), n -> new LinkedHashMap<>())
            .put(pod.key(), entry);
      }
    } else if (!pod.nominatedNode().isEmpty() && pod.spec().schedulingGates().isEmpty()) {
      nominations.add(entry);
      waitingChanged(entry);
      follower.waits(pod);
    }
  }

  private void waitingChanged(PlacedPod entry) {
    int node = nodeId(entry.pod().nominatedNode());
    if (node >= 0) {
      changes.add(node);
    }
  }

  private void unsettle(PlacedPod entry) {
    if (!entry.pod().finished()) {
      groups.remove(entry);
      if (!entry.pod().nodeName().isEmpty()) {
        podsByPriority.merge(entry.spec().priority(), -1, (x, y) -> x + y == 0 ? null : x + y);
      }
    }
    if (entry.node() != PlacedPod.NOWHERE) {
      int node = entry.node();
      changes.add(node);
      unplace(entry);
      follower.podWent(node, entry.podClass());
    }
    Map<String, PlacedPod> waiting = withoutNode.get(entry.pod().nodeName());
    if (waiting != null) {
      waiting.remove(entry.pod().key());
    }
    if (nominations.remove(entry)) {
      waitingChanged(entry);
      follower.waitsNoMore(entry.pod());
    }
  }

  private void born(PodClass added) {
    PodSpec spec = added.spec();
    if (wishes.add(spec.neighbours())) {
      follower.wish(spec.neighbours());
    }
    tallies.born(added);
  }

  private void classesWent() {
    tallies.classesWent();
    wishes.keep(classes.all()).forEach(follower::wishGone);
  }

  /** Takes note of what pods elsewhere want to be near to or far from. */
  public void addNeighbours(PodSpec.Neighbours wish) {
    wishes.addElsewhere(wish);
  }

  /** Takes note that no pods anywhere want that any more, until it is added again. */
  public void removeNeighbours(PodSpec.Neighbours wish) {
    wishes.removeElsewhere(wish);
  }

  CountedPods counted() {
    return counted;
  }

  /** The classes of pods that it keeps; some may have no pods any more. */
  Collection<PodClass> classes() {
    return classes.all();
  }

  /** The class of pods that are like these and have no volumes; itself if they have none. */
  public PodClass withoutVolumes(PodClass pods) {
    return pods.spec().volumes().isEmpty() ? pods : classes.withoutVolumes(pods);
  }

  /** What pods want to be near to or far from. */
  public Wishes wishes() {
    return wishes;
  }

  /** How many pods on nodes, here and elsewhere, use a claim. */
  public int usersOf(String namespace, String claim) {
    String key = namespace + "/" + claim;
    return usersHere(key) + elsewhere.usersOf(key);
  }

  /** How many pods on the nodes that are here use the claim with this key. */
  public int usersHere(String key) {
    return claimUsers.getOrDefault(key, 0);
  }

  /**
   * The counter of these pods; it is made, which takes a look at all pods, if nobody has it now.
   * Whoever asks releases it.
   */
  public PodCounter counter(PodCounter.Matcher matcher) {
    return tallies.counter(matcher);
  }

  /**
   * These sums; they are made, which takes a look at all nodes, if nobody has them now. Whoever
   * asks closes them.
   */
  public DomainSums sums(DomainSums.Of of) {
    return tallies.sums(of);
  }

  /** Takes what there is elsewhere: by sum, what nodes add; by claim, how many pods use it. */
  public void putElsewhere(Map<SumKey, PartialSums> others, Map<String, Integer> claimUsers) {
    tallies.takeOthers(others);
    elsewhere.takeClaimUsers(claimUsers);
  }

  /** The domains of a topology key. */
  public Topology topology(String key) {
    return topologies.of(key);
  }

  /** The topology keys that somebody has asked for. */
  public Set<String> topologyKeys() {
    return topologies.keys();
  }

  public Images images() {
    return images;
  }

  /** On which nodes pods came or went for good. */
  public ChangedNodes changes() {
    return changes;
  }

  /** Whether any pod on a node has a lower priority. */
  public boolean hasPodsBelow(int priority) {
    return !podsByPriority.isEmpty() && podsByPriority.firstKey() < priority;
  }

  /** Groups of pods that are decided about together, and their pods. */
  public PodGroups groups() {
    return groups;
  }

  /** Claims, volumes and what provisions them. */
  public Volumes volumes() {
    return volumes;
  }

  /** Devices, and who has them. */
  public Devices devices() {
    return devices;
  }

  /** The objects besides nodes and pods. */
  public Surroundings surroundings() {
    return surroundings;
  }

  /** The number of a scalar resource, or -1 if nobody has or wants it. */
  public int scalarId(String name) {
    return scalarNames.known(name);
  }

  public String scalarName(int id) {
    return scalarNames.name(id);
  }
}
