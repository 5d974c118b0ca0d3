// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.placement;

import io.exaplane.scheduler.model.ChangedNodes;
import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.plugin.Filter;
import io.exaplane.scheduler.plugin.Scope;
import io.exaplane.scheduler.plugin.Scorer;
import io.exaplane.scheduler.plugin.ScorerByMax;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The scores of all nodes for one class of pods, best first, for classes whose verdict on a node
 * depends on nothing but the node and its pods. What pods come or go touches one node; its score is
 * worked out anew before the next answer. Scores that are normalised by the best of all feasible
 * nodes are right at every moment: how many feasible nodes have which score is counted, and when
 * the best changes all totals are added up again. For its cluster's thread; 28 to 48 bytes a node.
 */
final class ClassIndex {
  private static final long RANK_BITS = 32;
  private static final long LOW = (1L << RANK_BITS) - 1;

  private final Cluster cluster;
  private final ClassPlan plan;
  private final Filter[] moving;
  private final Scorer[] movingScorers;
  private final int[] movingWeights;
  private final ScorerByMax[] byMax;
  private final int[] byMaxWeights;
  private final int[][] raw;
  private final ScoreCounts[] counts;
  private final long[] fixed;
  private final BitSet possible;
  private final BitSet feasible;
  private final int[] ranks;
  private final int[] byRank;
  private final TournamentTree tree;
  private int feasibleCount;
  private long readTo;

  private ClassIndex(Cluster cluster, ClassPlan plan, TieBreak tieBreak) {
    this.cluster = cluster;
    this.plan = plan;
    int size = cluster.nodes().size();
    moving = filters(Scope.PODS_OF_NODE);
    byMax =
        Arrays.stream(plan.scorers)
            .filter(s -> s instanceof ScorerByMax)
            .toArray(ScorerByMax[]::new);
    byMaxWeights = weights(s -> s instanceof ScorerByMax);
    movingScorers =
        Arrays.stream(plan.scorers)
            .filter(s -> s.scope() == Scope.PODS_OF_NODE)
            .toArray(Scorer[]::new);
    movingWeights = weights(s -> s.scope() == Scope.PODS_OF_NODE);
    raw = new int[byMax.length][size];
    counts = new ScoreCounts[byMax.length];
    Arrays.setAll(counts, i -> new ScoreCounts());
    fixed = new long[size];
    possible = new BitSet(size);
    feasible = new BitSet(size);
    ranks = tieBreak.ranks();
    byRank = tieBreak.byRank();
    tree = new TournamentTree(size);
    build();
  }

  /** The index of a class, or null if other nodes decide, too. */
  static ClassIndex of(Cluster cluster, ClassPlan plan, TieBreak tieBreak) {
    for (Filter filter : plan.filters) {
      if (filter.scope() == Scope.CLUSTER
          || filter.prepare().rejection() != null
          || filter.prepare().nodeNames() != null) {
        return null;
      }
    }
    for (Scorer scorer : plan.scorers) {
      if (scorer.scope() == Scope.CLUSTER && !(scorer instanceof ScorerByMax)) {
        return null;
      }
    }
    return new ClassIndex(cluster, plan, tieBreak);
  }

  private Filter[] filters(Scope scope) {
    return Arrays.stream(plan.filters).filter(f -> f.scope() == scope).toArray(Filter[]::new);
  }

  private int[] weights(Predicate<Scorer> which) {
    return IntStream.range(0, plan.scorers.length)
        .filter(i -> which.test(plan.scorers[i]))
        .map(i -> plan.weights[i])
        .toArray();
  }

  /** The best node now, or -1. */
  int best() {
    catchUp();
    long largest = tree.largest();
    return largest == TournamentTree.NONE ? -1 : byRank[(int) (LOW - (largest & LOW))];
  }

  /** Its score; as of the last {@link #best}. */
  long bestScore() {
    return tree.largest() >> RANK_BITS;
  }

  /** How many nodes do; as of the last {@link #best}. */
  int feasibleCount() {
    return feasibleCount;
  }

  private void catchUp() {
    ChangedNodes changes = cluster.changes();
    if (!changes.keeps(readTo)) {
      refill();
      return;
    }
    boolean same = true;
    for (; readTo < changes.end(); readTo++) {
      same &= update(changes.at(readTo));
    }
    if (!same) {
      addUp();
    }
  }

  /** Takes a node anew; false if the scores of others change with it. */
  private boolean update(int node) {
    boolean does = does(node);
    boolean same = true;
    if (does != feasible.get(node)) {
      feasible.set(node, does);
      feasibleCount += does ? 1 : -1;
      for (int i = 0; i < byMax.length; i++) {
        same &= counts[i].add(raw[i][node], does ? 1 : -1);
      }
    }
    tree.set(node, does ? key(node) : TournamentTree.NONE);
    return same;
  }

  private boolean does(int node) {
    if (!possible.get(node)) {
      return false;
    }
    for (Filter filter : moving) {
      if (filter.test(node) != Filter.PASSES) {
        return false;
      }
    }
    return true;
  }

  private long key(int node) {
    long total = fixed[node];
    for (int i = 0; i < byMax.length; i++) {
      total += byMaxWeights[i] * byMax[i].normalized(raw[i][node], counts[i].max());
    }
    for (int i = 0; i < movingScorers.length; i++) {
      total += movingWeights[i] * movingScorers[i].score(node);
    }
    return (total << RANK_BITS) | (LOW - ranks[node]);
  }

  private void build() {
    Filter[] still = filters(Scope.NODE);
    for (int node = 0; node < fixed.length; node++) {
      possible.set(node, cluster.nodes().node(node) != null && passes(still, node));
      if (possible.get(node)) {
        for (int i = 0; i < byMax.length; i++) {
          raw[i][node] = Math.toIntExact(byMax[i].score(node));
        }
        for (int s = 0; s < plan.scorers.length; s++) {
          if (plan.scorers[s].scope() == Scope.NODE) {
            fixed[node] += plan.weights[s] * plan.scorers[s].score(node);
          }
        }
      }
    }
    refill();
  }

  private static boolean passes(Filter[] filters, int node) {
    for (Filter filter : filters) {
      if (filter.test(node) != Filter.PASSES) {
        return false;
      }
    }
    return true;
  }

  /** Takes every node anew. */
  private void refill() {
    readTo = cluster.changes().end();
    feasible.clear();
    feasibleCount = 0;
    for (ScoreCounts count : counts) {
      count.clear();
    }
    for (int node = possible.nextSetBit(0); node >= 0; node = possible.nextSetBit(node + 1)) {
      if (does(node)) {
        feasible.set(node);
        feasibleCount++;
        for (int i = 0; i < byMax.length; i++) {
          counts[i].add(raw[i][node], 1);
        }
      }
    }
    addUp();
  }

  private void addUp() {
    for (int node = possible.nextSetBit(0); node >= 0; node = possible.nextSetBit(node + 1)) {
      tree.put(node, feasible.get(node) ? key(node) : TournamentTree.NONE);
    }
    tree.rebuild();
  }
}
