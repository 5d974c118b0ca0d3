// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.queue.SchedulingQueue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Pods, or groups of pods, for which others have to go: they have no turn until it is known of all
 * these that they go, lest still others have to. For the cluster's thread. Source:
 * pkg/scheduler/framework/preemption/executor.go, IsPodRunningPreemption.
 */
final class Evictions {
  /** After which a pod is decided about whatever is known. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private final Cluster cluster;
  private final SchedulingQueue queue;
  private final Map<String, Eviction> underWay = new HashMap<>();

  private record Leaving(String pod, String node) {}

  private static final class Eviction {
    private final Pod by;
    private final List<Leaving> victims;
    private boolean asked;
    private boolean failed;
    private long sinceNs;

    Eviction(Pod by, List<Leaving> victims) {
      this.by = by;
      this.victims = victims;
    }
  }

  Evictions(Cluster cluster, SchedulingQueue queue) {
    this.cluster = cluster;
    this.queue = queue;
  }

  /** Others have to go for a pod, or for its group. */
  void begin(Pod by, Decision decision) {
    List<Leaving> victims =
        decision.victims().stream()
            .map(victim -> new Leaving(victim.pod().key(), victim.pod().nodeName()))
            .toList();
    underWay.put(key(by), new Eviction(by, victims));
  }

  /** Pods that wait with their group have no turn while others go for one of them. */
  private String key(Pod pod) {
    return queue.waitsWithGroup(pod) ? "group " + pod.groupKey() : pod.uid();
  }

  /** They were asked to, or could not be. */
  void asked(Pod by, boolean failed) {
    Eviction eviction = underWay.get(key(by));
    if (eviction != null) {
      eviction.asked = true;
      eviction.failed = failed;
    }
  }

  boolean isUnderWay(Pod by) {
    return underWay.containsKey(key(by));
  }

  /** Lets those have turns whose victims are known to go; to be called again and again. */
  void look(long nowNs) {
    if (underWay.isEmpty()) {
      return;
    }
    List<Eviction> over =
        underWay.values().stream().filter(eviction -> isOver(eviction, nowNs)).toList();
    for (Eviction eviction : over) {
      underWay.remove(key(eviction.by));
      // What woke others meanwhile did not wake this one.
      queue.release(eviction.by, nowNs);
    }
  }

  private boolean isOver(Eviction eviction, long nowNs) {
    if (!eviction.asked) {
      return false;
    }
    eviction.sinceNs = eviction.sinceNs == 0 ? nowNs : eviction.sinceNs;
    return eviction.failed
        || nowNs - eviction.sinceNs > PATIENCE_NS
        || eviction.victims.stream().allMatch(this::goes);
  }

  private boolean goes(Leaving leaving) {
    PlacedPod victim = cluster.pod(leaving.pod());
    return victim == null
        || victim.spec().terminating()
        || !victim.pod().nodeName().equals(leaving.node());
  }
}
