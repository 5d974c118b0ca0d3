// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * When the instances of a client started, in steps of half a minute: did many start within the same
 * minute? Those that start anew may have other addresses than before.
 */
final class Starts {
  private static final long STEP_MICROS = 30_000_000;
  private static final int FEW = 10;

  /** A burst has that many times the starts of a usual minute. */
  private static final double BURST = 5;

  private static final int LEAST_MINUTES = 10;
  private static final int MARGIN_STEPS = 4;
  private static final double REPLACED = 0.8;

  /** Addresses by step, and of them those that had started before. */
  private final TreeMap<Long, Set<String>> byStep = new TreeMap<>();

  private final TreeMap<Long, Set<String>> againByStep = new TreeMap<>();
  private static final long SHORT_MICROS = 600_000_000;
  private final Map<String, long[]> active;
  private final double minutes;
  private final long end;
  private int starters;
  private int unwatched;
  private int shortLived;

  /**
   * Of a client.
   *
   * @param active by address, when it asked first and last
   * @param seconds how long the log is
   */
  Starts(Collection<Asked> asked, Map<String, long[]> active, double seconds) {
    this.active = active;
    this.minutes = Math.max(1, seconds / 60);
    this.end = active.values().stream().mapToLong(times -> times[1]).max().orElse(0);
    for (Asked one : asked) {
      long[] starts = one.starts();
      starters += starts.length > 0 ? 1 : 0;
      boolean leaves = starts.length > 0 && !one.watched();
      unwatched += leaves ? 1 : 0;
      shortLived += leaves || starts.length > 0 && wentSoon(one.address()) ? 1 : 0;
      for (int i = 0; i < starts.length; i++) {
        long step = Math.floorDiv(starts[i], STEP_MICROS);
        byStep.computeIfAbsent(step, any -> new HashSet<>()).add(one.address());
        if (i > 0) {
          againByStep.computeIfAbsent(step, any -> new HashSet<>()).add(one.address());
        }
      }
    }
  }

  /** Whether an instance came and was gone minutes later: a watch that stays is renewed. */
  private boolean wentSoon(String address) {
    long[] times = active.get(address);
    return times != null && times[1] - times[0] < SHORT_MICROS && times[1] < end - SHORT_MICROS;
  }

  /** How many started within the same minute, if that is what they should not; else 0. */
  int inStep() {
    int again = mostWithinAMinute(againByStep);
    if (again >= FEW && again > 0.5 * active.size()) {
      return again;
    }
    if (minutes < LEAST_MINUTES) {
      return 0;
    }
    double usual = usual();
    int most = 0;
    int bursts = 0;
    long last = Long.MIN_VALUE;
    for (long step : byStep.keySet()) {
      int now = withinAMinute(byStep, step);
      boolean burst = now >= FEW && now >= BURST * usual;
      if (burst && step > last + 2) {
        bursts++;
      }
      if (burst) {
        last = step;
        most = replaces(step, now) ? Math.max(most, now) : most;
      }
    }
    // Jobs come again and again, and do not stay. Those that stay are of a workload that grows.
    boolean jobs =
        bursts > 1 && unwatched > 0.5 * starters || bursts > 2 && shortLived > 0.5 * starters;
    return jobs ? mostWithinAMinute(byStep) : most;
  }

  /** Starts in a minute that is none of the busy ones, unless most of them are. */
  private double usual() {
    int all = 0;
    int ofBusy = 0;
    int busy = 0;
    for (Set<String> started : byStep.values()) {
      all += started.size();
      if (started.size() >= FEW) {
        ofBusy += started.size();
        busy++;
      }
    }
    return busy < 0.5 * minutes ? (all - ofBusy) / (minutes - busy) : all / minutes;
  }

  /**
   * Whether as many instances, of other addresses, were there before and are not since. Where more
   * come than go, a workload grows.
   */
  private boolean replaces(long step, int now) {
    long before = (step - MARGIN_STEPS) * STEP_MICROS;
    long after = (step + MARGIN_STEPS) * STEP_MICROS;
    long gone =
        active.values().stream().filter(times -> times[0] < before && times[1] < after).count();
    return gone >= REPLACED * now;
  }

  private static int mostWithinAMinute(TreeMap<Long, Set<String>> steps) {
    int most = 0;
    for (long step : steps.keySet()) {
      most = Math.max(most, withinAMinute(steps, step));
    }
    return most;
  }

  private static int withinAMinute(TreeMap<Long, Set<String>> steps, long step) {
    Set<String> now = steps.get(step);
    Set<String> next = steps.get(step + 1);
    if (next == null) {
      return now.size();
    }
    return now.size() + (int) next.stream().filter(address -> !now.contains(address)).count();
  }
}
