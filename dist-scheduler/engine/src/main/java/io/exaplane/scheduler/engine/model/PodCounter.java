// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * How many placed pods of some kind each node has, kept up to date. Belongs to one {@link Cluster}
 * and its thread. 4 bytes a node.
 */
public final class PodCounter {
  /** Which pods count. Two matchers that are equal share a counter. */
  public interface Matcher {
    /** How often a pod of this class counts; 0 if it does not. */
    int times(PodSpec spec);

    /**
     * What all pods have that count, by any of which they are found: {@link Label}s, or an {@link
     * AffinityTerm} of their own.
     */
    default List<?> marks() {
      return List.of();
    }
  }

  private final Matcher matcher;

  /** By which it is found, or null. */
  private final Object mark;

  private final List<DomainSums> sums = new ArrayList<>();
  private final List<PodClass> counted = new ArrayList<>();
  private final Consumer<PodCounter> unused;
  private int holders;
  private int[] perNode;

  /**
   * Of no pods yet.
   *
   * @param mark one of the matcher's, or null
   * @param unused is told when nobody holds it any more
   */
  PodCounter(Matcher matcher, Object mark, int nodes, Consumer<PodCounter> unused) {
    this.matcher = matcher;
    this.mark = mark;
    this.unused = unused;
    this.perNode = new int[nodes];
  }

  Matcher matcher() {
    return matcher;
  }

  Object mark() {
    return mark;
  }

  /** The count of a node. */
  public int on(int node) {
    return node < perNode.length ? perNode[node] : 0;
  }

  /** The classes of pods that count. */
  List<PodClass> counted() {
    return counted;
  }

  void hold() {
    holders++;
  }

  /** Whoever asked the cluster for it does not need it any more. */
  public void release() {
    if (--holders == 0) {
      unused.accept(this);
    }
  }

  /** Sums of this counter that follow it from now on. */
  void attach(DomainSums domainSums) {
    sums.add(domainSums);
  }

  void detach(DomainSums domainSums) {
    sums.remove(domainSums);
  }

  void add(int node, int delta) {
    if (node >= perNode.length) {
      perNode = Arrays.copyOf(perNode, Math.max(node + 1, perNode.length * 2));
    }
    perNode[node] += delta;
    for (int i = 0; i < sums.size(); i++) {
      sums.get(i).changed(node, delta);
    }
  }
}
