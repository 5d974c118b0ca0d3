// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The counters of a cluster's pods and their sums by domain: one of each kind, however many look at
 * it, made when the first asks and let go after the last. For the cluster's thread.
 */
final class Tallies {
  private final Cluster cluster;
  private final Map<PodCounter.Matcher, PodCounter> counters = new LinkedHashMap<>();
  private final Map<SumKey, DomainSums> sums = new HashMap<>();

  /** Counters by what all have that count; by null where that is nothing. */
  private final Map<Object, List<PodCounter>> byMark = new HashMap<>();

  /** Classes by what their pods have. */
  private final Map<Object, List<PodClass>> marked = new HashMap<>();

  Tallies(Cluster cluster) {
    this.cluster = cluster;
  }

  PodCounter counter(PodCounter.Matcher matcher) {
    PodCounter counter = counters.computeIfAbsent(matcher, this::count);
    counter.hold();
    return counter;
  }

  private PodCounter count(PodCounter.Matcher matcher) {
    Object mark = rarest(matcher.marks());
    PodCounter counter = new PodCounter(matcher, mark, cluster.nodes().size(), this::forget);
    Collection<PodClass> candidates = mark == null ? cluster.classes() : marked(mark);
    int placed = 0;
    for (PodClass podClass : candidates) {
      int times = matcher.times(podClass.spec());
      if (times > 0) {
        podClass.counts(counter, times);
        placed += podClass.placed;
      }
    }
    if (placed > 0) {
      countPlaced(counter, placed);
    }
    byMark.computeIfAbsent(mark, m -> new ArrayList<>()).add(counter);
    return counter;
  }

  /** The one that fewest classes have, or null. */
  private Object rarest(List<?> marks) {
    return marks.stream().min(Comparator.comparingInt(mark -> marked(mark).size())).orElse(null);
  }

  private List<PodClass> marked(Object mark) {
    return marked.getOrDefault(mark, List.of());
  }

  /** Looks for so many, among all. */
  private void countPlaced(PodCounter counter, int placed) {
    int left = placed;
    for (PlacedPod pod : cluster.pods()) {
      int times = pod.podClass().timesForNewest(counter);
      if (times > 0 && pod.node() != PlacedPod.NOWHERE) {
        counter.add(pod.node(), times);
        left--;
      }
      if (left == 0) {
        return;
      }
    }
    cluster
        .counted()
        .forEach((node, pods, count) -> counter.add(node, count * pods.timesForNewest(counter)));
  }

  private void forget(PodCounter counter) {
    counters.remove(counter.matcher());
    counter.counted().forEach(podClass -> podClass.forgets(counter));
    List<PodCounter> others = byMark.get(counter.mark());
    others.remove(counter);
    if (others.isEmpty()) {
      byMark.remove(counter.mark());
    }
  }

  DomainSums sums(DomainSums.Of of) {
    DomainSums known = sums.get(of.key());
    if (known == null || !known.isCurrent()) {
      known = new DomainSums(of, cluster, gone -> sums.remove(gone.key(), gone));
      sums.put(known.key(), known);
    }
    return known.hold();
  }

  void takeOthers(Map<SumKey, PartialSums> others) {
    others.forEach(
        (key, part) -> {
          DomainSums known = sums.get(key);
          if (known != null) {
            known.takeOthers(part);
          }
        });
  }

  /** There is a class of pods that was not there before. */
  void born(PodClass added) {
    count(added, byMark.getOrDefault(null, List.of()));
    for (Object mark : marks(added.spec())) {
      marked.computeIfAbsent(mark, m -> new ArrayList<>(1)).add(added);
      count(added, byMark.getOrDefault(mark, List.of()));
    }
  }

  private static void count(PodClass added, List<PodCounter> counters) {
    for (PodCounter counter : counters) {
      int times = counter.matcher().times(added.spec());
      if (times > 0) {
        added.counts(counter, times);
      }
    }
  }

  /** By which matchers find such pods. */
  private static Set<Object> marks(PodSpec pod) {
    Set<Object> marks = new LinkedHashSet<>();
    pod.labels().toMap().forEach((key, value) -> marks.add(new Label(key, value)));
    pod.neighbours().terms().forEach(marks::add);
    return marks;
  }

  /** Some classes of pods are let go. */
  void classesWent() {
    counters.values().forEach(counter -> counter.counted().removeIf(PodClass::isLetGo));
    marked
        .values()
        .removeIf(
            classes -> {
              classes.removeIf(PodClass::isLetGo);
              return classes.isEmpty();
            });
  }
}
