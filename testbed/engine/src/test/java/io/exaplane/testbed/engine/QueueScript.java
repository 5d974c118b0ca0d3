// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.plugin.DynamicResources;
import io.exaplane.scheduler.engine.plugin.EventRegistrations;
import io.exaplane.scheduler.engine.plugin.Plugin;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import io.exaplane.scheduler.engine.queue.Backoff;
import io.exaplane.scheduler.engine.queue.GroupEnd;
import io.exaplane.scheduler.engine.queue.Intake;
import io.exaplane.scheduler.engine.queue.QueuedPod;
import io.exaplane.scheduler.engine.queue.Rules;
import io.exaplane.scheduler.engine.queue.SchedulingQueue;
import io.exaplane.scheduler.engine.scenario.Dice;
import io.exaplane.scheduler.engine.scenario.GroupMaker;
import io.exaplane.scheduler.engine.scenario.ScenarioMaker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What happens to a queue, made up by a seed, and what the engine's queue is after each step. */
final class QueueScript {
  private static final long MILLIS = 1_000_000;
  private static final long START_NS = 1_800_000_000_000L * MILLIS;
  private static final long PATIENCE_NS = 300_000 * MILLIS;
  private static final Set<String> GOING = Set.of("Node", "Pod", "ResourceClaim", "PodGroup");
  private static final Set<String> KINDS =
      Set.of(
          "Node",
          "Pod",
          "PersistentVolumeClaim",
          "PersistentVolume",
          "StorageClass",
          "CSINode",
          "CSIStorageCapacity",
          "ResourceClaim",
          "ResourceSlice",
          "DeviceClass",
          "PodGroup");

  private final String id;
  private final Dice dice;
  private final ObjectMutator mutator;
  private final Profile profile;
  private final Cluster cluster = new Cluster();
  private final SchedulingQueue queue;
  private final Intake intake;
  private final ObjectReader reader;
  private final List<Map<String, Object>> toCome = new ArrayList<>();
  private final Map<String, Map<String, Object>> there = new LinkedHashMap<>();
  private final Map<String, QueuedPod> inFlight = new TreeMap<>();
  private final Map<String, QueuedPod> binding = new TreeMap<>();

  /** By uid, those of {@link #inFlight} that had their turn with their group. */
  private final Map<String, QueuedPod> together = new TreeMap<>();

  /** The group about which it is decided; null if there is none. */
  private String group;

  private final Map<String, String> nodes = new TreeMap<>();
  private final List<Map<String, Object>> steps = new ArrayList<>();
  private final List<QueueState> states = new ArrayList<>();
  private long nowNs = START_NS;
  private String popped;

  /**
   * Of so many steps.
   *
   * @param profile of the scheduler; if it schedules gangs, most pods belong to groups
   * @param coverage is told what hints answer
   */
  QueueScript(long seed, int length, Profile profile, HintCoverage coverage) {
    this.profile = profile;
    id = "seed " + seed;
    dice = new Dice(seed);
    queue =
        new SchedulingQueue(
            Map.of(
                profile.schedulerName(),
                Rules.of(
                    profile, cluster, coverage.watch(EventRegistrations.of(profile, cluster)))),
            Backoff.DEFAULT,
            PATIENCE_NS);
    intake = new Intake(cluster, queue, Set.of(profile.schedulerName()));
    reader = new ObjectReader(cluster, intake, profile.version());
    List<Map<String, Object>> others = new ArrayList<>();
    List<Map<String, Object>> objects = new ScenarioMaker(seed, profile.version()).objects();
    for (Map<String, Object> object :
        profile.schedulesGangs()
            ? new GroupMaker(seed, profile.version()).grouped(objects)
            : objects) {
      if (KINDS.contains(object.get("kind"))) {
        toCome.add(ObjectMutator.onlyClassOfResource(object));
      }
    }
    for (Map<String, Object> object : new ScenarioMaker(~seed, profile.version()).objects()) {
      if (KINDS.contains(object.get("kind"))) {
        others.add(object);
      }
    }
    mutator = new ObjectMutator(dice, others);
    while (steps.size() < length) {
      step();
    }
  }

  /** The script as the oracle reads it. */
  Map<String, Object> forOracle() {
    return Map.of("id", id, "steps", steps);
  }

  List<QueueState> states() {
    return states;
  }

  /** What happened at a step, in words. */
  String describe(int step) {
    return "" + steps.get(step);
  }

  private void step() {
    int throwOf100 = dice.below(100);
    nowNs += MILLIS;
    intake.at(nowNs);
    popped = "";
    Map<String, Object> done;
    if (throwOf100 < 28) {
      done = comes();
    } else if (throwOf100 < 48) {
      done = changes();
    } else if (throwOf100 < 54) {
      done = goes();
    } else if (throwOf100 < 70) {
      done = pops();
    } else if (throwOf100 < 85) {
      done = ends();
    } else if (throwOf100 < 90) {
      done = binds();
    } else {
      done = passes(throwOf100);
    }
    if (done == null) {
      nowNs -= MILLIS;
      return;
    }
    steps.add(done);
    states.add(
        new QueueState(
            id,
            steps.size() - 1,
            popped,
            uids(QueuedPod.Place.ACTIVE),
            uids(QueuedPod.Place.BACKOFF, QueuedPod.Place.ERROR_BACKOFF),
            uids(QueuedPod.Place.UNSCHEDULABLE),
            uids(QueuedPod.Place.IN_FLIGHT),
            uids(QueuedPod.Place.AFTER_GROUP),
            uids(QueuedPod.Place.WITHOUT_GROUP)));
  }

  private List<String> uids(QueuedPod.Place... places) {
    return Stream.of(places).flatMap(place -> queue.uids(place).stream()).sorted().toList();
  }

  private Map<String, Object> comes() {
    return toCome.isEmpty() ? null : put(toCome.remove(dice.below(toCome.size())));
  }

  private Map<String, Object> changes() {
    Map<String, Object> object = any();
    return object == null ? null : put(mutator.changed(object));
  }

  private Map<String, Object> put(Map<String, Object> object) {
    Map<String, Object> versioned = mutator.withVersion(object, steps.size() + 1);
    there.put(key(object), versioned);
    reader.read(Fields.of(versioned, ""));
    return Map.of("do", "put", "object", versioned);
  }

  private Map<String, Object> any() {
    List<Map<String, Object>> all = List.copyOf(there.values());
    return all.isEmpty() ? null : all.get(dice.below(all.size()));
  }

  /** Deletes a node, a pod or a claim, which may be made anew later. */
  private Map<String, Object> goes() {
    Map<String, Object> object = any();
    if (object == null) {
      return null;
    }
    String kind = (String) object.get("kind");
    if (!GOING.contains(kind)) {
      return null;
    }
    String key = key(object).substring(kind.length() + 1);
    int slash = key.indexOf('/');
    reader.remove(kind, slash < 0 ? "" : key.substring(0, slash), key.substring(slash + 1));
    there.remove(key(object));
    if (dice.chance(0.5)) {
      toCome.add(mutator.madeAnew(object, steps.size()));
    }
    return Map.of("do", "delete", "kind", kind, "key", key);
  }

  @SuppressWarnings("unchecked")
  private static String key(Map<String, Object> object) {
    Map<String, Object> meta = (Map<String, Object>) object.get("metadata");
    Object namespace = meta.get("namespace");
    return object.get("kind") + "/" + (namespace == null ? "" : namespace + "/") + meta.get("name");
  }

  /** Nobody has a turn while it is decided about a group. */
  private Map<String, Object> pops() {
    if (group != null) {
      return ends();
    }
    List<QueuedPod> pods = intake.pop();
    pods.forEach(pod -> inFlight.put(pod.pod().uid(), pod));
    if (!pods.isEmpty() && queue.waitsWithGroup(pods.getFirst().pod())) {
      pods.forEach(pod -> together.put(pod.pod().uid(), pod));
      group = pods.getFirst().pod().groupKey();
    }
    popped = pods.stream().map(pod -> pod.pod().uid()).sorted().collect(Collectors.joining(" "));
    return Map.of("do", "pop");
  }

  /** It was decided about all pods of a group. */
  private Map<String, Object> groupEnds() {
    GroupEnd end = dice.one(GroupEnd.PLACED, GroupEnd.REFUSED, GroupEnd.REFUSED, GroupEnd.FAILED);
    intake.ended(group, end);
    group = null;
    return Map.of("do", "groupEnded", "end", end.name());
  }

  /** What becomes of a pod that is in flight; of those of a group first. */
  private Map<String, Object> ends() {
    if (group != null && together.isEmpty()) {
      return groupEnds();
    }
    Map<String, QueuedPod> from = group == null ? inFlight : together;
    if (from.isEmpty()) {
      return null;
    }
    String uid = List.copyOf(from.keySet()).get(dice.below(from.size()));
    QueuedPod pod = inFlight.get(uid);
    together.remove(uid);
    PlacedPod known = cluster.pod(pod.pod().key());
    boolean isThere =
        known != null && known.pod().nodeName().isEmpty() && known.pod().uid().equals(uid);
    inFlight.remove(uid);
    // kube-scheduler decides about no pod that is being deleted.
    boolean isSkipped = isThere && group != null && known.spec().terminating();
    if (isThere && !isSkipped && cluster.nodeCount() > 0 && dice.chance(0.3)) {
      int node = dice.below(cluster.nodes().size());
      if (cluster.nodes().node(node) == null) {
        node = cluster.nodeId(firstNode());
      }
      intake.assume(pod, node, List.of(), VolumePlan.NONE);
      binding.put(uid, pod);
      nodes.put(uid, cluster.nodes().node(node).name());
      return Map.of("do", "assume", "uid", uid, "node", cluster.nodes().node(node).name());
    }
    List<String> plugins = dice.chance(0.15) ? List.of() : plugins(pod);
    intake.refused(pod, plugins);
    String nominated = isThere && !plugins.isEmpty() && dice.chance(0.3) ? "n" + dice.below(4) : "";
    if (!nominated.isEmpty()) {
      intake.nominate(pod.pod().key(), nominated);
    }
    return Map.of("do", "refuse", "uid", uid, "plugins", plugins, "node", nominated);
  }

  private String firstNode() {
    return there.values().stream()
        .filter(object -> object.get("kind").equals("Node"))
        .map(object -> key(object).substring("Node/".length()))
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  /**
   * Plugins that might have refused the pod; those that look at volumes or devices more often if it
   * has any.
   */
  private List<String> plugins(QueuedPod pod) {
    boolean volumes = !pod.pod().spec().volumes().isEmpty() && dice.chance(0.6);
    boolean devices = !volumes && !pod.pod().spec().claims().isEmpty() && dice.chance(0.6);
    List<String> all =
        profile.filters().stream()
            .map(Plugin::name)
            .filter(name -> !volumes || name.contains("Volume"))
            .filter(name -> !devices || name.equals(DynamicResources.NAME))
            .toList();
    return Stream.generate(() -> all.get(dice.below(all.size())))
        .limit(dice.between(1, 2))
        .distinct()
        .toList();
  }

  /** The API server tells that a pod is on its node, or did not take the binding. */
  private Map<String, Object> binds() {
    if (binding.isEmpty()) {
      return null;
    }
    String uid = List.copyOf(binding.keySet()).get(dice.below(binding.size()));
    QueuedPod pod = binding.remove(uid);
    Map<String, Object> object = there.get("Pod/" + pod.pod().key());
    PlacedPod known = cluster.pod(pod.pod().key());
    boolean same = object != null && mutator.uid(object).equals(uid);
    if (same && !known.pod().nodeName().isEmpty() && dice.chance(0.6)) {
      return put(mutator.onNode(object, known.pod().nodeName()));
    }
    if (group != null && !queue.waitsWithGroup(pod.pod())) {
      // kube-scheduler would forget that it decides about a group.
      binding.put(uid, pod);
      return null;
    }
    intake.bindingFailed(pod, nodes.get(uid), Set.of());
    return Map.of("do", "bindingFailed", "uid", uid);
  }

  private Map<String, Object> passes(int throwOf100) {
    if (throwOf100 < 94) {
      int millis = dice.one(500, 900, 1000, 2500, 9000, 310_000);
      nowNs += millis * MILLIS;
      return Map.of("do", "advance", "ms", millis);
    }
    if (throwOf100 < 98) {
      queue.endWaits(nowNs);
      return Map.of("do", "endWaits");
    }
    queue.losePatience(nowNs);
    return Map.of("do", "losePatience");
  }
}
