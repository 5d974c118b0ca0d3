// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Pods that cannot be bound before the cluster is as they need it: their volumes bound, their
 * devices ready. For the cluster's thread.
 */
final class Waits {
  static final String NOTHING_WRONG = "";
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** What a pod waits for. */
  interface Awaited {
    /**
     * Looks at the cluster; again and again until it is over.
     *
     * @param pod as it is known now
     * @return {@link #NOTHING_WRONG}, what is wrong, or null while the pod has to wait
     */
    String outcome(PlacedPod pod, long nowNs);
  }

  private record Wait(Pod pod, Awaited awaited, CompletableFuture<String> ready) {}

  private final Cluster cluster;
  private final List<Wait> waits = new ArrayList<>();
  private long lastNs;

  Waits(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Waits for a pod.
   *
   * @param ready is done with nothing when it can be bound, or with what is wrong
   */
  void add(Pod pod, Awaited awaited, CompletableFuture<String> ready) {
    waits.add(new Wait(pod, awaited, ready));
  }

  /** Ends the wait of a pod that does not go after all, if it waits. */
  void cancel(Pod pod, String why) {
    for (Wait wait : waits) {
      if (wait.pod.uid().equals(pod.uid())) {
        wait.ready.complete(why);
      }
    }
  }

  /** Tells those whose wait is over; to be called again and again. */
  void look(long nowNs) {
    if (waits.isEmpty() || nowNs - lastNs < LOOK_NS) {
      return;
    }
    lastNs = nowNs;
    waits.removeIf(
        wait -> {
          String outcome = wait.ready.isDone() ? NOTHING_WRONG : outcome(wait, nowNs);
          return outcome != null && (wait.ready.isDone() || wait.ready.complete(outcome));
        });
  }

  private String outcome(Wait wait, long nowNs) {
    PlacedPod known = cluster.pod(wait.pod.key());
    return known == null || !known.pod().uid().equals(wait.pod.uid())
        ? "the pod does not exist any more"
        : wait.awaited.outcome(known, nowNs);
  }
}
