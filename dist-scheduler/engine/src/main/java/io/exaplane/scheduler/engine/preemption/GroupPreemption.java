// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.preemption;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodGroup;
import io.exaplane.scheduler.engine.placement.Cycle;
import io.exaplane.scheduler.engine.plugin.CycleException;
import io.exaplane.scheduler.engine.plugin.Grant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Finds who has to go from all nodes so that a group finds places, as from 1.37 on. All who are
 * less important are taken away, the group is decided about again, and then, the most important
 * first, those come back beside whom the group's pods can still stay. For its cluster's thread.
 * Source: pkg/scheduler/framework/preemption/podgrouppreemption.go.
 */
public final class GroupPreemption {
  private static final String PREFIX = "pod group preemption: ";

  /** What came of it when it was decided about the group again. */
  public enum Result {
    PLACED,
    REFUSED,
    /** Refused, and what else was tried for the group is not told. */
    HOPELESS,
    FAILED
  }

  /**
   * The place of a pod of the group, and what its claims are given there.
   *
   * @param asked the plugins that had something to say about the pod when nobody was left who can
   *     be evicted; kube-scheduler asks no others when it lets some of these stay
   */
  public record Place(PlacedPod pod, int node, List<Grant> grants, Set<String> asked) {}

  /**
   * The group on a cluster from which the others have gone.
   *
   * @param message why it is not placed
   */
  public record Attempt(Result result, String message, List<Place> places) {}

  /**
   * What can be done for a group.
   *
   * @param result PLACED if it is to wait for places
   * @param places by pod, the node that it waits for from now on, or an empty name
   */
  public record Found(
      Result result, String message, Map<PlacedPod, String> places, List<PlacedPod> victims) {}

  private final Cluster cluster;
  private final Victims grouped;
  private final Budgets budgets;
  private final Cycle cycle;

  public GroupPreemption(Cluster cluster, Cycle cycle) {
    this.cluster = cluster;
    this.cycle = cycle;
    grouped = new Victims(cluster);
    budgets = new Budgets(cluster, true);
  }

  /**
   * Looks for room; afterwards, the cluster is the same as before.
   *
   * @param pods those of the group that wait, in the order in which they are decided about
   * @param again decides about the group on the cluster as it is then, and leaves it so
   * @param assume puts a pod of the group onto its place
   * @param revert takes all of these off again
   */
  public Found find(
      PodGroup group,
      List<PlacedPod> pods,
      Supplier<Attempt> again,
      Consumer<Place> assume,
      Runnable revert) {
    List<Victims.Unit> potential;
    boolean ongoing;
    try {
      potential = grouped.everywhere(group.priority());
      ongoing = isOngoing(group, pods);
    } catch (CycleException e) {
      return none(Result.FAILED, "failed to create domain: " + e.getMessage());
    }
    if (pods.stream().anyMatch(pod -> !pod.spec().preempts())) {
      return none(Result.REFUSED, "not eligible due to preemptionPolicy=Never.");
    }
    if (ongoing) {
      Map<PlacedPod, String> places = new LinkedHashMap<>();
      pods.forEach(pod -> places.put(pod, pod.pod().nominatedNode()));
      String says = PREFIX + "ongoing preemption on nominated nodes";
      return new Found(Result.PLACED, says, places, List.of());
    }
    if (potential.isEmpty()) {
      return none(Result.HOPELESS, "No preemption victims found for incoming preemptor");
    }
    Map<PlacedPod, Integer> nodes = new HashMap<>();
    potential.forEach(unit -> unit.pods().forEach(pod -> nodes.put(pod, pod.node())));
    nodes.keySet().forEach(cluster::unplace);
    List<Victims.Unit> gone = new ArrayList<>(potential);
    try {
      Attempt attempt = withoutImages(again);
      if (attempt.result() != Result.PLACED) {
        return none(attempt.result(), attempt.message());
      }
      for (Victims.Unit unit : budgets.split(potential).inOrder()) {
        unit.pods().forEach(pod -> cluster.place(pod, nodes.get(pod)));
        if (isRoomFor(attempt.places(), assume, revert)) {
          gone.remove(unit);
        } else {
          unit.pods().forEach(cluster::unplace);
        }
      }
      return found(attempt, gone);
    } finally {
      gone.forEach(unit -> unit.pods().forEach(pod -> cluster.place(pod, nodes.get(pod))));
    }
  }

  /**
   * kube-scheduler's copy of its snapshot has lost how many nodes have an image, so that
   * ImageLocality scores nothing. Source: kube-scheduler's framework/types.go,
   * ImageStateSummary.Snapshot, which StartMutations calls a second time.
   */
  private Attempt withoutImages(Supplier<Attempt> again) {
    cluster.images().hide(true);
    try {
      return again.get();
    } finally {
      cluster.images().hide(false);
    }
  }

  private static Found none(Result result, String why) {
    return new Found(result, PREFIX + why, Map.of(), List.of());
  }

  private Found found(Attempt attempt, List<Victims.Unit> gone) {
    Map<PlacedPod, String> places = new LinkedHashMap<>();
    for (Place place : attempt.places()) {
      places.put(place.pod(), cluster.nodes().node(place.node()).name());
    }
    List<PlacedPod> victims = gone.stream().flatMap(unit -> unit.pods().stream()).toList();
    String says =
        PREFIX + "found a placement for podgroup, preempting %d victims".formatted(victims.size());
    return new Found(Result.PLACED, says, places, victims);
  }

  /** Whether victims of an earlier attempt have not gone from the nodes that pods wait for. */
  private boolean isOngoing(PodGroup group, List<PlacedPod> pods) {
    for (PlacedPod pod : pods) {
      String name = pod.pod().nominatedNode();
      int node = name.isEmpty() ? -1 : cluster.nodeId(name);
      PlacedPod other = node < 0 ? null : cluster.nodes().firstPod(node);
      for (; other != null; other = other.next()) {
        if (other.pod().preempted() && grouped.priorityOf(other) < group.priority()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Each is asked about as if those before it were where they go. */
  private boolean isRoomFor(List<Place> places, Consumer<Place> assume, Runnable revert) {
    try {
      for (Place place : places) {
        if (!cycle.does(place.pod(), place.node(), place.asked())) {
          return false;
        }
        assume.accept(place);
      }
      return true;
    } finally {
      revert.run();
    }
  }
}
