// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The counters of a cluster's pods and their sums by domain: one of each kind, however many look at
 * it, made when the first asks and let go after the last. For the cluster's thread.
 */
final class Tallies {
  private final Cluster cluster;
  private final Map<PodCounter.Matcher, PodCounter> counters = new LinkedHashMap<>();
  private final Map<SumKey, DomainSums> sums = new HashMap<>();

  Tallies(Cluster cluster) {
    this.cluster = cluster;
  }

  PodCounter counter(PodCounter.Matcher matcher) {
    PodCounter counter = counters.computeIfAbsent(matcher, this::count);
    counter.hold();
    return counter;
  }

  private PodCounter count(PodCounter.Matcher matcher) {
    PodCounter counter = new PodCounter(matcher, cluster.nodes().size(), this::forget);
    for (PodClass podClass : cluster.classes()) {
      int times = matcher.times(podClass.spec());
      if (times > 0) {
        podClass.counts(counter, times);
      }
    }
    if (!counter.counted().isEmpty()) {
      for (PlacedPod pod : cluster.pods()) {
        int times = pod.node() == PlacedPod.NOWHERE ? 0 : matcher.times(pod.spec());
        if (times > 0) {
          counter.add(pod.node(), times);
        }
      }
      cluster
          .counted()
          .forEach((node, pods, count) -> counter.add(node, count * matcher.times(pods.spec())));
    }
    return counter;
  }

  private void forget(PodCounter counter) {
    counters.remove(counter.matcher());
    counter.counted().forEach(podClass -> podClass.forgets(counter));
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
    for (PodCounter counter : counters.values()) {
      int times = counter.matcher().times(added.spec());
      if (times > 0) {
        added.counts(counter, times);
      }
    }
  }

  /** Some classes of pods are let go. */
  void classesWent() {
    counters.values().forEach(counter -> counter.counted().removeIf(PodClass::isLetGo));
  }
}
