// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.path;

import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.rules.Limit;
import io.exaplane.tuning.rules.Warning;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the cheapest set of levers after which no limit is exceeded: branch and bound over the
 * levers, the dearest first, each at its strongest value; then each is weakened as far as it may.
 * Levers only take load away, so that a set that does not fit has no part that does. One search is
 * for one thread.
 */
public final class PathSearch {
  private static final double NOTICED = 0.99;

  private final VersionMatrix matrix;
  private final Tuning given;
  private final Map<Lever, List<String>> rungs = new EnumMap<>(Lever.class);
  private final List<Lever> dearestFirst;
  private final Map<Set<Lever>, Boolean> answers = new HashMap<>();
  private EnumSet<Lever> best;
  private int bestPrice = Integer.MAX_VALUE;

  /**
   * What was found.
   *
   * @param tuning of the changed cluster
   */
  public record Found(Path path, Tuning tuning) {}

  private PathSearch(Tuning given, VersionMatrix matrix) {
    this.given = given;
    this.matrix = matrix;
    for (Lever lever : Lever.values()) {
      List<String> values = lever.rungs(given.estimate());
      if (!values.isEmpty()) {
        rungs.put(lever, values);
      }
    }
    this.dearestFirst =
        rungs.keySet().stream().sorted(Comparator.comparingInt(Lever::price).reversed()).toList();
  }

  /** For a cluster whose shape has its size and its servers. */
  public static Found of(Shape shape, VersionMatrix matrix) {
    return new PathSearch(Tuning.of(shape, matrix), matrix).find();
  }

  private Found find() {
    EnumSet<Lever> all = EnumSet.noneOf(Lever.class);
    all.addAll(rungs.keySet());
    boolean fits = fits(all);
    if (fits) {
      search(0, EnumSet.noneOf(Lever.class), 0);
    } else {
      best = all;
    }
    Map<Lever, String> values = strongest(best);
    if (fits) {
      weaken(values);
    }
    // The model adds kube-apiservers for memory and cores; who follows the path has to know.
    int replicas = tuning(values).estimate().replicas();
    if (replicas > given.estimate().replicas()) {
      values.putIfAbsent(Lever.REPLICAS, Integer.toString(replicas));
    }
    return told(values, fits);
  }

  /** Leaves levers out first, so that the first answer is already a good one. */
  private void search(int at, EnumSet<Lever> chosen, int price) {
    if (price >= bestPrice) {
      return;
    }
    if (fits(chosen)) {
      best = EnumSet.copyOf(chosen);
      bestPrice = price;
      return;
    }
    if (at == dearestFirst.size()) {
      return;
    }
    EnumSet<Lever> possible = EnumSet.copyOf(chosen);
    possible.addAll(dearestFirst.subList(at, dearestFirst.size()));
    if (!fits(possible)) {
      return;
    }
    search(at + 1, chosen, price);
    Lever lever = dearestFirst.get(at);
    chosen.add(lever);
    search(at + 1, chosen, price + lever.price());
    chosen.remove(lever);
  }

  private boolean fits(EnumSet<Lever> levers) {
    Boolean known = answers.get(levers);
    if (known == null) {
      known = fits(strongest(levers));
      answers.put(EnumSet.copyOf(levers), known);
    }
    return known;
  }

  /**
   * The levers at their strongest. More kube-apiservers take load from each other but not from
   * stores, so that of them no number is the strongest: the first that fits, or the last.
   */
  private Map<Lever, String> strongest(Set<Lever> levers) {
    Map<Lever, String> values = new EnumMap<>(Lever.class);
    levers.forEach(lever -> values.put(lever, rungs.get(lever).getLast()));
    if (levers.contains(Lever.REPLICAS)) {
      for (String replicas : rungs.get(Lever.REPLICAS)) {
        values.put(Lever.REPLICAS, replicas);
        if (fits(values)) {
          break;
        }
      }
    }
    return values;
  }

  private boolean fits(Map<Lever, String> values) {
    return tuning(values).limits().stream().noneMatch(Limit::isExceeded);
  }

  private Tuning tuning(Map<Lever, String> values) {
    Shape shape = given.estimate().shape();
    for (Map.Entry<Lever, String> value : values.entrySet()) {
      shape = shape.with(value.getKey().input(), value.getValue());
    }
    return shape.equals(given.estimate().shape()) ? given : Tuning.of(shape, matrix);
  }

  /** With some of the levers, and no more kube-apiservers than there are until they are added. */
  private Tuning tuning(Map<Lever, String> done, Map<Lever, String> all) {
    Map<Lever, String> values = new EnumMap<>(Lever.class);
    values.putAll(done);
    if (!done.isEmpty() && all.containsKey(Lever.REPLICAS)) {
      values.putIfAbsent(Lever.REPLICAS, Integer.toString(given.estimate().replicas()));
    }
    return tuning(values);
  }

  /** The dearest ones first: what is hard to do should be small. */
  private void weaken(Map<Lever, String> values) {
    for (Lever lever : dearestFirst) {
      if (values.containsKey(lever)) {
        Map<Lever, String> tried = new EnumMap<>(values);
        for (String rung : rungs.get(lever)) {
          tried.put(lever, rung);
          if (fits(tried)) {
            values.put(lever, rung);
            break;
          }
        }
      }
    }
  }

  private Found told(Map<Lever, String> values, boolean fits) {
    Map<Lever, String> done = new EnumMap<>(Lever.class);
    List<Lever> left = new ArrayList<>(values.keySet());
    List<Change> changes = new ArrayList<>();
    Tuning before = given;
    while (!left.isEmpty()) {
      Lever next = next(before, done, left, values);
      left.remove(next);
      done.put(next, values.get(next));
      Tuning after = tuning(done, values);
      changes.add(
          new Change(
              next.input().key(),
              next.current(before.estimate()),
              values.get(next),
              next.action(),
              gains(before, after)));
      before = after;
    }
    return new Found(
        new Path(
            (long) given.estimate().shape().nodes(),
            exceeded(given),
            List.copyOf(changes),
            fits,
            inputs(before.estimate()),
            before.warnings().stream().map(Warning::name).distinct().toList()),
        before);
  }

  /** What relieves most the worst limit that anything relieves. */
  private Lever next(
      Tuning before, Map<Lever, String> done, List<Lever> left, Map<Lever, String> values) {
    Map<Lever, Tuning> after = new EnumMap<>(Lever.class);
    for (Lever lever : left) {
      Map<Lever, String> tried = new EnumMap<>(done);
      tried.put(lever, values.get(lever));
      after.put(lever, tuning(tried, values));
    }
    for (Limit worst : exceeded(before)) {
      Lever most =
          left.stream()
              .min(Comparator.comparingDouble(lever -> ratio(after.get(lever), worst)))
              .orElseThrow();
      if (ratio(after.get(most), worst) < NOTICED * worst.ratio()) {
        return most;
      }
    }
    return left.getFirst();
  }

  private static double ratio(Tuning tuning, Limit limit) {
    return same(tuning, limit).map(Limit::ratio).orElse(0.0);
  }

  private static Optional<Limit> same(Tuning tuning, Limit limit) {
    return tuning.limits().stream()
        .filter(limit::isSame)
        .max(Comparator.comparingDouble(Limit::ratio));
  }

  private static List<Limit> exceeded(Tuning tuning) {
    return tuning.limits().stream()
        .filter(Limit::isExceeded)
        .sorted(Comparator.comparingDouble(Limit::ratio).reversed())
        .toList();
  }

  private static List<Gain> gains(Tuning before, Tuning after) {
    List<Gain> gains = new ArrayList<>();
    for (Limit limit : exceeded(before)) {
      Optional<Limit> now = same(after, limit);
      if (now.map(Limit::ratio).orElse(0.0) < NOTICED * limit.ratio()) {
        gains.add(
            new Gain(
                limit.name(),
                limit.unit(),
                limit.needed(),
                limit.available(),
                now.map(Limit::needed).orElse(0.0),
                now.map(Limit::available).orElse(0.0)));
      }
    }
    return List.copyOf(gains);
  }

  private static Map<String, String> inputs(Estimate estimate) {
    Map<String, String> inputs = new LinkedHashMap<>();
    for (Input input : Input.values()) {
      estimate.shape().given(input).ifPresent(value -> inputs.put(input.key(), value));
    }
    return inputs;
  }
}
