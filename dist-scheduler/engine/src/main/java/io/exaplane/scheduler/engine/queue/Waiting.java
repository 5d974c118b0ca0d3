// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import java.util.Collection;

/**
 * Pods that wait, by what for. Immutable.
 *
 * @param active for their turn
 * @param backoff for the end of a pause after an attempt
 * @param unschedulable for something to happen that could help
 * @param gated for a plugin to let them have a turn at all
 * @param oldestSinceNs since when the first waits that is not gated, nanoseconds since 1970; {@link
 *     #NOBODY} without one
 */
public record Waiting(int active, int backoff, int unschedulable, int gated, long oldestSinceNs) {
  public static final long NOBODY = Long.MAX_VALUE;
  public static final Waiting NONE = new Waiting(0, 0, 0, 0, NOBODY);

  static Waiting of(
      int active, int backoff, Collection<QueuedPod> unschedulable, Collection<QueuedPod> all) {
    int gated = (int) unschedulable.stream().filter(QueuedPod::isGated).count();
    long oldest =
        all.stream()
            .filter(pod -> !pod.isGated())
            .mapToLong(QueuedPod::sinceNs)
            .min()
            .orElse(NOBODY);
    return new Waiting(active, backoff, unschedulable.size() - gated, gated, oldest);
  }
}
