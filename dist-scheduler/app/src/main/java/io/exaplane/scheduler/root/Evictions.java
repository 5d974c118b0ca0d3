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
 * Pods for which others have to go: they have no turn until it is known of all these that they go,
 * lest still others have to. For the cluster's thread. Source:
 * pkg/scheduler/framework/preemption/executor.go, IsPodRunningPreemption.
 */
final class Evictions {
  /** After which a pod is decided about whatever is known. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private final Cluster cluster;
  private final SchedulingQueue queue;
  private final Map<String, Eviction> underWay = new HashMap<>();

  private static final class Eviction {
    private final Pod by;
    private final String node;
    private final List<String> victims;
    private boolean asked;
    private boolean failed;
    private long sinceNs;

    Eviction(Pod by, String node, List<String> victims) {
      this.by = by;
      this.node = node;
      this.victims = victims;
    }
  }

  Evictions(Cluster cluster, SchedulingQueue queue) {
    this.cluster = cluster;
    this.queue = queue;
  }

  /** Others have to go for a pod. */
  void begin(Pod by, Decision decision) {
    List<String> victims = decision.victims().stream().map(victim -> victim.pod().key()).toList();
    underWay.put(by.uid(), new Eviction(by, decision.nominated(), victims));
  }

  /** They were asked to, or could not be. */
  void asked(Pod by, boolean failed) {
    Eviction eviction = underWay.get(by.uid());
    if (eviction != null) {
      eviction.asked = true;
      eviction.failed = failed;
    }
  }

  boolean isUnderWay(String uid) {
    return underWay.containsKey(uid);
  }

  /** Lets those have turns whose victims are known to go; to be called again and again. */
  void look(long nowNs) {
    if (underWay.isEmpty()) {
      return;
    }
    List<Eviction> over =
        underWay.values().stream().filter(eviction -> isOver(eviction, nowNs)).toList();
    for (Eviction eviction : over) {
      underWay.remove(eviction.by.uid());
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
        || eviction.victims.stream()
            .map(cluster::pod)
            .allMatch(victim -> goes(victim, eviction.node));
  }

  private static boolean goes(PlacedPod victim, String from) {
    return victim == null || victim.spec().terminating() || !victim.pod().nodeName().equals(from);
  }
}
