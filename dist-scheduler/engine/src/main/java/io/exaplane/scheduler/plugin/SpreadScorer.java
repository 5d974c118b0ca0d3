// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.plugin;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PodCounter;
import io.exaplane.scheduler.model.PodSpec;
import io.exaplane.scheduler.model.SpreadConstraint;
import io.exaplane.scheduler.model.Topology;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Prefers nodes in whose domain there are fewer pods. Source:
 * pkg/scheduler/framework/plugins/podtopologyspread/scoring.go.
 */
final class SpreadScorer extends Scorer {
  private final SpreadCounts counts;
  private final boolean allKeys;
  private final boolean[] perNode;
  private final int[] slack;
  private final double[] weights;
  private final BitSet seen = new BitSet();

  /**
   * For one class of pods.
   *
   * @param allKeys whether nodes that miss the key of a constraint have the worst score
   */
  SpreadScorer(PodSpec pod, Cluster cluster, List<SpreadConstraint> constraints, boolean allKeys) {
    super(PodTopologySpread.NAME);
    this.allKeys = allKeys;
    counts = new SpreadCounts(pod, cluster, constraints, allKeys, false);
    int n = constraints.size();
    perNode = new boolean[n];
    slack = new int[n];
    weights = new double[n];
    for (int i = 0; i < n; i++) {
      perNode[i] = constraints.get(i).topologyKey().equals(PodTopologySpread.HOSTNAME);
      slack[i] = constraints.get(i).maxSkew() - 1;
    }
  }

  @Override
  public boolean prepare(int[] feasible, int[] alike, int count) {
    int scored = 0;
    for (int f = 0; f < count; f++) {
      scored += isIgnored(feasible[f]) ? 0 : alike[f];
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] = GoMath.log((perNode[i] ? scored : domains(i, feasible, alike, count)) + 2);
    }
    return true;
  }

  /**
   * How many domains the feasible nodes are in; those without the key are in that of the empty
   * value.
   */
  private int domains(int i, int[] feasible, int[] alike, int count) {
    Topology topology = counts.topologies[i];
    boolean unique = topology.isUnique();
    int domains = 0;
    seen.clear();
    for (int f = 0; f < count; f++) {
      if (!isIgnored(feasible[f])) {
        int domain = topology.domain(feasible[f]);
        if (unique && domain != Topology.NONE) {
          domains += alike[f];
        } else {
          seen.set(domain == Topology.NONE ? topology.emptyDomain() : domain);
        }
      }
    }
    return domains + seen.cardinality();
  }

  @Override
  public List<Coordinate> coordinates() {
    List<Coordinate> coordinates = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      Topology topology = counts.topologies[i];
      if (!perNode[i]) {
        coordinates.add(Coordinate.of(counts.sums[i]));
      } else {
        PodCounter pods = counts.counters[i];
        coordinates.add(Coordinate.still(n -> topology.domain(n) == Topology.NONE ? 0 : 1));
        coordinates.add(Coordinate.moving(pods::on));
      }
    }
    return coordinates;
  }

  private boolean isIgnored(int node) {
    return allKeys && !counts.hasAllKeys(node);
  }

  @Override
  public long score(int node) {
    if (isIgnored(node)) {
      return 0;
    }
    double score = 0;
    for (int i = 0; i < weights.length; i++) {
      int domain = counts.topologies[i].domain(node);
      if (domain != Topology.NONE) {
        int pods = perNode[i] ? counts.counters[i].on(node) : counts.sums[i].of(domain);
        score += pods * weights[i] + slack[i];
      }
    }
    return Math.round(score);
  }

  @Override
  public void normalize(int[] feasible, long[] scores, int count) {
    long min = Long.MAX_VALUE;
    long max = 0;
    for (int f = 0; f < count; f++) {
      if (!isIgnored(feasible[f])) {
        min = Math.min(min, scores[f]);
        max = Math.max(max, scores[f]);
      }
    }
    for (int f = 0; f < count; f++) {
      scores[f] = isIgnored(feasible[f]) ? 0 : max == 0 ? MAX : MAX * (max + min - scores[f]) / max;
    }
  }

  @Override
  public void close() {
    counts.close();
  }
}
