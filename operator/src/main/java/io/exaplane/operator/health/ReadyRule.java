// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the operator does its work: its informers have what there is, their watches are open or
 * were a moment ago, and passes come to an end. A watch ends every few minutes by design, and is
 * opened anew; that alone is no reason. Used by one thread at a time.
 */
final class ReadyRule {
  /** Longer than the client's longest pause between attempts, 30 s. */
  static final Duration WATCH_PATIENCE = Duration.ofMinutes(2);

  /** Longer than any pass; what a pass waits for has limits of seconds. */
  static final Duration PASS_PATIENCE = Duration.ofMinutes(10);

  /** An informer as it is. */
  record Informer(String name, boolean isRunning, boolean hasSynced, boolean isWatching) {}

  /**
   * The passes of all controllers.
   *
   * @param ended how many have ended since the start
   * @param underWay whether one is under way
   */
  record Passes(double ended, boolean underWay) {}

  /**
   * What was found.
   *
   * @param problems why it is not ready; empty when it is
   * @param sinceLastPass since the last one was seen to end, or since the start
   */
  record Verdict(List<String> problems, Duration sinceLastPass) {}

  private final Map<String, Long> notWatchingSinceNanos = new HashMap<>();
  private double ended = -1;
  private long lastPassNanos;

  /** When nothing was under way, or something ended, for the last time. */
  private long stillNanos;

  /** Looks, at a time of a clock that never goes back. */
  synchronized Verdict look(
      boolean isStarted, Collection<Informer> informers, Passes passes, long nowNanos) {
    List<String> problems = new ArrayList<>();
    if (!isStarted) {
      problems.add("the controllers are not started yet");
    }
    notWatchingSinceNanos.keySet().retainAll(informers.stream().map(Informer::name).toList());
    for (Informer informer : informers) {
      problem(informer, nowNanos, problems);
    }
    if (passes.ended() != ended) {
      ended = passes.ended();
      lastPassNanos = nowNanos;
      stillNanos = nowNanos;
    } else if (!passes.underWay()) {
      stillNanos = nowNanos;
    }
    Duration still = Duration.ofNanos(nowNanos - stillNanos);
    if (still.compareTo(PASS_PATIENCE) >= 0) {
      problems.add(
          "a reconciliation is running, and none has ended for %d s".formatted(still.toSeconds()));
    }
    Duration since = Duration.ofNanos(nowNanos - lastPassNanos);
    return new Verdict(List.copyOf(problems), since);
  }

  private void problem(Informer informer, long nowNanos, List<String> problems) {
    if (!informer.isRunning() || !informer.hasSynced()) {
      problems.add(
          "the informer of %s %s"
              .formatted(
                  informer.name(), informer.isRunning() ? "has not synced" : "does not run"));
      return;
    }
    if (informer.isWatching()) {
      notWatchingSinceNanos.remove(informer.name());
      return;
    }
    long since = notWatchingSinceNanos.computeIfAbsent(informer.name(), _ -> nowNanos);
    Duration lasts = Duration.ofNanos(nowNanos - since);
    if (lasts.compareTo(WATCH_PATIENCE) >= 0) {
      problems.add(
          "the watch of %s has been closed for %d s".formatted(informer.name(), lasts.toSeconds()));
    }
  }
}
