// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.DomainSums;
import java.util.List;

/** A score plugin with one class of pods in mind; like {@link Filter} as to time and threads. */
public abstract class Scorer {
  /** The best score of a node. */
  public static final long MAX = 100;

  private final String plugin;

  protected Scorer(String plugin) {
    this.plugin = plugin;
  }

  public final String plugin() {
    return plugin;
  }

  /**
   * Called once the feasible nodes are known.
   *
   * @param feasible their numbers, in the first {@code count} places
   * @param alike for how many nodes with the same coordinates each of them stands, itself included
   * @return whether the plugin scores this pod at all
   */
  public boolean prepare(int[] feasible, int[] alike, int count) {
    return prepare(Crowd.NONE);
  }

  /** Whether it matters to scores how many nodes are feasible. */
  public boolean countsFeasible() {
    return false;
  }

  /** What {@link #prepare(Crowd)} has to know of feasible nodes, some of all that there are. */
  public Crowd crowd(int[] feasible, int[] alike, int count) {
    return Crowd.NONE;
  }

  /**
   * Called in place of {@link #prepare(int[], int[], int)} where some feasible nodes are elsewhere.
   *
   * @param all what matters of all of them, wherever they are
   */
  public boolean prepare(Crowd all) {
    return true;
  }

  /** The score of a node before it is normalised. */
  public abstract long score(int node);

  /** Brings scores into 0 to {@link #MAX}; {@code feasible[i]} has {@code scores[i]}. */
  public final void normalize(int[] feasible, long[] scores, int count) {
    normalize(feasible, scores, count, extrema(feasible, scores, count));
  }

  /** What scores are measured by; of all feasible nodes, it is that of all parts of them. */
  public Extrema extrema(int[] feasible, long[] scores, int count) {
    return Extrema.NONE;
  }

  /** Brings scores into 0 to {@link #MAX}, with these extrema of all feasible nodes. */
  public void normalize(int[] feasible, long[] scores, int count, Extrema of) {}

  /** What {@link #score} depends on; those that are normalised by other nodes' say CLUSTER. */
  public Scope scope() {
    return Scope.CLUSTER;
  }

  /**
   * Nodes with the same coordinates have the same score at the same time. Null if there is nothing
   * of the kind for one that depends on the {@link Scope#CLUSTER}.
   */
  public List<Coordinate> coordinates() {
    return null;
  }

  /** The sums by domain that it looks at. */
  public List<DomainSums> sums() {
    return List.of();
  }

  /** Lets go of what the cluster keeps up to date for it. */
  public void close() {}
}
