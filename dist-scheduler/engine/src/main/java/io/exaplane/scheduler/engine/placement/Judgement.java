// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.DynamicResources;
import io.exaplane.scheduler.engine.plugin.Filter;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.engine.plugin.Scorer;
import io.exaplane.scheduler.engine.plugin.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What was found out about one pod: which nodes do, what they score, and why the others do not. It
 * is filled anew for each pod, and to be read before that.
 */
public final class Judgement {
  static final int FEASIBLE = -1;
  static final int NOT_ASKED = -2;

  private final Cluster cluster;
  String unsupported;
  String error;
  Status rejection;
  boolean gated;
  boolean nominatedDoes;
  List<ResourceClaim> idleClaims = List.of();
  Status notAsked;
  String devicesSay;
  boolean endsWithDevices;

  /** The plugins that left nodes out before they were asked. */
  Set<String> restricting = Set.of();

  Filter[] filters = {};
  int filterCount;
  int[] refusedBy = {};
  long[] verdicts = {};
  int[] feasible = {};
  int feasibleCount;

  /** Each node stands for itself. */
  int[] alike = {};

  Scorer[] scorers = {};
  long[][] scores = {};
  int scorerCount;
  long[] totals = {};

  Judgement(Cluster cluster) {
    this.cluster = cluster;
  }

  void clear() {
    int nodes = cluster.nodes().size();
    if (refusedBy.length < nodes) {
      refusedBy = new int[nodes];
      verdicts = new long[nodes];
      feasible = new int[nodes];
      totals = new long[nodes];
      alike = new int[nodes];
      Arrays.fill(alike, 1);
    }
    Arrays.fill(refusedBy, 0, nodes, NOT_ASKED);
    unsupported = null;
    error = null;
    rejection = null;
    gated = false;
    nominatedDoes = false;
    idleClaims = List.of();
    notAsked = null;
    devicesSay = null;
    endsWithDevices = false;
    restricting = Set.of();
    filterCount = 0;
    feasibleCount = 0;
    scorerCount = 0;
  }

  /** Of several errors, it does not matter which node's came first. */
  void failed(String message) {
    if (error == null || message.compareTo(error) < 0) {
      error = message;
    }
  }

  /** The feature that keeps the pod from being judged, or null. */
  public String unsupported() {
    return unsupported;
  }

  /** Why nothing can be said about the pod before something is mended, or null. */
  public String error() {
    return error;
  }

  /** Whether the pod has to wait before anybody asks for it; {@link #rejection} says for what. */
  public boolean isGated() {
    return gated;
  }

  /** Whether the pod gets the node that it waited for. */
  public boolean nominatedDoes() {
    return nominatedDoes;
  }

  /** What the claims of the pod are given on a feasible node. */
  public List<Grant> grants(int node) {
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < filterCount; i++) {
      grants.addAll(filters[i].grants(node));
    }
    return grants;
  }

  /**
   * Claims of the pod that could be given up, so that others find devices for it elsewhere; none if
   * it found a node.
   */
  public List<ResourceClaim> idleClaims() {
    return idleClaims;
  }

  /**
   * What DynamicResources does for a pod that found no node, in its words; null if it is not asked.
   */
  public String devicesSay() {
    return devicesSay;
  }

  /**
   * Whether nobody tries anything else for the pod: kube-scheduler's DynamicResources fails over
   * pods that were refused before it saw them.
   */
  public boolean endsWithDevices() {
    return endsWithDevices;
  }

  /** The plugins that had something to say about the pod, whatever the node. */
  public Set<String> asked() {
    return Arrays.stream(filters, 0, filterCount).map(Filter::plugin).collect(Collectors.toSet());
  }

  /** Why no node was asked, or null. */
  public Status rejection() {
    return rejection;
  }

  public int feasibleCount() {
    return error == null ? feasibleCount : 0;
  }

  /** The number of the i-th feasible node. */
  public int feasible(int i) {
    return feasible[i];
  }

  /** The score of the i-th feasible node; 0 if it is the only one. */
  public long total(int i) {
    return totals[i];
  }

  /** The plugins that scored; none if there is only one feasible node. */
  public List<String> scorers() {
    return Arrays.stream(scorers, 0, scorerCount).map(Scorer::plugin).toList();
  }

  /** The weighted score of the i-th feasible node by the s-th of {@link #scorers}. */
  public long score(int s, int i) {
    return scores[s][i];
  }

  /** Whether a node does. */
  public boolean isFeasible(int node) {
    return refusedBy[node] == FEASIBLE;
  }

  /**
   * Whether there is a reason why a node does not do. A pod that gets the node that it waited for
   * leaves the others without one: nobody asked them.
   */
  public boolean isRefused(int node) {
    return error == null
        && cluster.nodes().node(node) != null
        && (rejection != null
            || refusedBy[node] >= 0
            || (refusedBy[node] == NOT_ASKED && notAsked != null));
  }

  /** Why a node that {@link #isRefused} does not do. */
  public Status refusal(int node) {
    if (rejection != null) {
      return rejection;
    }
    int by = refusedBy[node];
    return by >= 0 ? filters[by].explain(verdicts[node]) : notAsked;
  }

  /**
   * The plugins that refused the pod, each that was the first to refuse some node: something has to
   * happen that one of them asks for. None if it was an error, as having no nodes at all is.
   * Source: pkg/scheduler/schedule_one.go, schedulePod.
   */
  public Set<String> rejectors() {
    if (unsupported != null) {
      return Set.of(DynamicResources.NAME);
    }
    if (cluster.nodeCount() == 0 || error != null) {
      return Set.of();
    }
    if (rejection != null && !rejection.isResolvable()) {
      return Set.of(rejection.plugin());
    }
    Set<String> plugins = new TreeSet<>(restricting);
    if (rejection != null) {
      plugins.add(rejection.plugin());
      return plugins;
    }
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (cluster.nodes().node(node) != null && refusedBy[node] >= 0) {
        plugins.add(filters[refusedBy[node]].plugin());
      }
    }
    return plugins;
  }

  /** Whether a node was refused for want of what other pods have. */
  public boolean isResolvable(int node) {
    if (rejection != null) {
      return rejection.isResolvable();
    }
    int by = refusedBy[node];
    return by >= 0 && filters[by].isResolvable(verdicts[node]);
  }
}
