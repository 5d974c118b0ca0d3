// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.membership;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * How much each member gets: all the same, but less who takes much longer than the others for what
 * it has, until it is as quick as they are. One thread; time is what callers say.
 */
public final class Weights {
  private static final double WHOLE = 1;
  private static final double LEAST = 0.125;
  private static final double STEP = 2;

  /** So many times as long as the member in the middle is slow; below it, quick. */
  private static final double SLOW = 3;

  private static final double QUICK = 1.5;

  /** What nobody need be better than. */
  private static final double FAST_ENOUGH_MICROS = 3000;

  private static final double NEWEST = 0.2;
  private static final int ENOUGH_ANSWERS = 10;
  private static final long LESS_AFTER_NS = TimeUnit.SECONDS.toNanos(10);
  private static final long MORE_AFTER_NS = TimeUnit.SECONDS.toNanos(60);

  private final Map<Integer, Pace> paces = new HashMap<>();

  private static final class Pace {
    private double weight = WHOLE;
    private double micros;
    private int answers;
    private long sinceNs;
  }

  /**
   * A member is new.
   *
   * @param onProbation whether it begins with as little as anybody can have
   */
  public void add(int member, boolean onProbation, long nowNs) {
    Pace pace = new Pace();
    pace.sinceNs = nowNs;
    pace.weight = onProbation ? LEAST : WHOLE;
    paces.put(member, pace);
  }

  public void remove(int member) {
    paces.remove(member);
  }

  /** A member took so long for an answer. */
  public void took(int member, int micros) {
    Pace pace = paces.get(member);
    if (pace != null) {
      pace.micros = pace.answers == 0 ? micros : pace.micros + NEWEST * (micros - pace.micros);
      pace.answers++;
    }
  }

  /** How long a member takes on average lately, in microseconds; 0 if that is not known. */
  public double micros(int member) {
    Pace pace = paces.get(member);
    return pace == null ? 0 : pace.micros;
  }

  /** Weighs them anew; whether anybody gets another weight. */
  public boolean weigh(long nowNs) {
    List<Double> all = new ArrayList<>();
    for (Pace pace : paces.values()) {
      if (pace.answers >= ENOUGH_ANSWERS) {
        all.add(pace.micros);
      }
    }
    if (all.size() < 2) {
      return false;
    }
    Collections.sort(all);
    double middle = Math.max(all.get((all.size() - 1) / 2), FAST_ENOUGH_MICROS);
    boolean changed = false;
    for (Pace pace : paces.values()) {
      double before = pace.weight;
      weigh(pace, middle, nowNs);
      changed |= pace.weight != before;
    }
    return changed;
  }

  private static void weigh(Pace pace, double middle, long nowNs) {
    long forNs = nowNs - pace.sinceNs;
    boolean known = pace.answers >= ENOUGH_ANSWERS;
    if (known && pace.micros > SLOW * middle && forNs >= LESS_AFTER_NS && pace.weight > LEAST) {
      set(pace, pace.weight / STEP, nowNs);
    } else if (known && pace.micros < QUICK * middle && forNs >= MORE_AFTER_NS) {
      if (pace.weight < WHOLE) {
        set(pace, Math.min(WHOLE, pace.weight * STEP), nowNs);
      }
    }
  }

  /** It is judged by what it does with its new share. */
  private static void set(Pace pace, double weight, long nowNs) {
    pace.weight = weight;
    pace.sinceNs = nowNs;
    pace.answers = 0;
  }

  /** By member. */
  public SortedMap<Integer, Double> now() {
    SortedMap<Integer, Double> now = new TreeMap<>();
    paces.forEach((member, pace) -> now.put(member, pace.weight));
    return now;
  }
}
