// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Pods that are equal in all that decides, and what the cluster keeps for them as one. Belongs to
 * one {@link Cluster} and its thread.
 */
public final class PodClass {
  private final PodSpec spec;
  private final int[] scalarIds;
  private final long[] scalarsToFit;
  private final long[] scalarsPlaced;

  /** What this class counts for, and how often a pod of it. */
  PodCounter[] counters = {};

  int[] times = {};

  /** How many pods are of this class, or of one that is like it but for volumes. */
  int pods;

  /** How many of them are on nodes. */
  int placed;

  private boolean letGo;

  private Object note;

  /** The class of pods that are like these and have no volumes; null until somebody asks. */
  PodClass withoutVolumes;

  PodClass(PodSpec spec, ScalarNames names) {
    this.spec = spec;
    Amounts fit = spec.requests().toFit();
    Amounts placed = spec.requests().placed();
    String[] scalars =
        Stream.concat(fit.scalars().keySet().stream(), placed.scalars().keySet().stream())
            .distinct()
            .sorted()
            .toArray(String[]::new);
    scalarIds = new int[scalars.length];
    scalarsToFit = new long[scalars.length];
    scalarsPlaced = new long[scalars.length];
    for (int i = 0; i < scalars.length; i++) {
      scalarIds[i] = names.id(scalars[i]);
      scalarsToFit[i] = fit.scalars().getOrDefault(scalars[i], 0L);
      scalarsPlaced[i] = placed.scalars().getOrDefault(scalars[i], 0L);
    }
  }

  public PodSpec spec() {
    return spec;
  }

  /** What the cluster's follower noted of it last, or null. */
  public Object note() {
    return note;
  }

  /** Keeps something for the cluster's follower. */
  public void note(Object kept) {
    note = kept;
  }

  /** The cluster knows it no more; whoever still does keeps no counters by it. */
  void letGo() {
    letGo = true;
    counters = new PodCounter[0];
    times = new int[0];
  }

  /** Whether its cluster knows it no more: pods that are like these are another class now. */
  public boolean isLetGo() {
    return letGo;
  }

  /** The scalar resources that pods of this class ask for, as the cluster numbers them. */
  public int[] scalarIds() {
    return scalarIds;
  }

  /** How much of each has to be free. */
  public long[] scalarsToFit() {
    return scalarsToFit;
  }

  /** How much of each a placed pod takes. */
  long[] scalarsPlaced() {
    return scalarsPlaced;
  }

  void counts(PodCounter counter, int howOften) {
    int n = counters.length;
    counters = Arrays.copyOf(counters, n + 1);
    times = Arrays.copyOf(times, n + 1);
    counters[n] = counter;
    counter.counted().add(this);
    times[n] = howOften;
  }

  /** How often a pod counts for the counter that was added last, if this is it. */
  int timesForNewest(PodCounter counter) {
    int last = counters.length - 1;
    return last >= 0 && counters[last] == counter ? times[last] : 0;
  }

  void forgets(PodCounter counter) {
    int left = 0;
    for (int i = 0; i < counters.length; i++) {
      if (counters[i] != counter) {
        counters[left] = counters[i];
        times[left++] = times[i];
      }
    }
    counters = Arrays.copyOf(counters, left);
    times = Arrays.copyOf(times, left);
  }
}
