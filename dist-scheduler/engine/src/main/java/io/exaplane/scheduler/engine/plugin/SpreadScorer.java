// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.DomainSums;
import io.exaplane.scheduler.engine.model.PodCounter;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.SpreadConstraint;
import io.exaplane.scheduler.engine.model.Topology;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Prefers nodes in whose domain there are fewer pods. Source:
 * pkg/scheduler/framework/plugins/podtopologyspread/scoring.go.
 */
final class SpreadScorer extends Scorer {
  private static final Crowd.Domains NO_DOMAINS = new Crowd.Domains(0, Set.of());

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
    int scored = scored(feasible, alike, count);
    for (int i = 0; i < weights.length; i++) {
      weigh(i, perNode[i] ? scored : visit(i, feasible, alike, count) + seen.cardinality());
    }
    return true;
  }

  @Override
  public boolean countsFeasible() {
    return true;
  }

  @Override
  public Crowd crowd(int[] feasible, int[] alike, int count) {
    List<Crowd.Domains> domains = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      domains.add(
          perNode[i]
              ? NO_DOMAINS
              : domains(counts.topologies[i], visit(i, feasible, alike, count)));
    }
    return new Crowd(scored(feasible, alike, count), domains);
  }

  @Override
  public boolean prepare(Crowd all) {
    for (int i = 0; i < weights.length; i++) {
      weigh(i, perNode[i] ? all.nodes() : all.domains().get(i).count());
    }
    return true;
  }

  private void weigh(int i, int size) {
    weights[i] = GoMath.log(size + 2);
  }

  private int scored(int[] feasible, int[] alike, int count) {
    int scored = 0;
    for (int f = 0; f < count; f++) {
      scored += isIgnored(feasible[f]) ? 0 : alike[f];
    }
    return scored;
  }

  /**
   * Notes which domains the feasible nodes are in; those without the key are in that of the empty
   * value.
   *
   * @return how many there are besides, of those that have one node each
   */
  private int visit(int i, int[] feasible, int[] alike, int count) {
    Topology topology = counts.topologies[i];
    boolean unique = topology.isUnique();
    int single = 0;
    seen.clear();
    for (int f = 0; f < count; f++) {
      if (!isIgnored(feasible[f])) {
        int domain = topology.domain(feasible[f]);
        if (unique && domain != Topology.NONE) {
          single += alike[f];
        } else {
          seen.set(domain == Topology.NONE ? topology.emptyDomain() : domain);
        }
      }
    }
    return single;
  }

  /** Those that were seen, beside so many of one node each. */
  private Crowd.Domains domains(Topology topology, int single) {
    Set<String> shared = new HashSet<>();
    int alone = single;
    for (int domain = seen.nextSetBit(0); domain >= 0; domain = seen.nextSetBit(domain + 1)) {
      if (topology.isShared(domain)) {
        shared.add(topology.value(domain));
      } else {
        alone++;
      }
    }
    return new Crowd.Domains(alone, shared);
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
  public Extrema extrema(int[] feasible, long[] scores, int count) {
    long min = Long.MAX_VALUE;
    long max = 0;
    for (int f = 0; f < count; f++) {
      if (!isIgnored(feasible[f])) {
        min = Math.min(min, scores[f]);
        max = Math.max(max, scores[f]);
      }
    }
    return new Extrema(min, max);
  }

  @Override
  public void normalize(int[] feasible, long[] scores, int count, Extrema of) {
    long min = of.min();
    long max = of.max();
    for (int f = 0; f < count; f++) {
      scores[f] = isIgnored(feasible[f]) ? 0 : max == 0 ? MAX : MAX * (max + min - scores[f]) / max;
    }
  }

  @Override
  public List<DomainSums> sums() {
    return List.of(counts.sums);
  }

  @Override
  public void close() {
    counts.close();
  }
}
