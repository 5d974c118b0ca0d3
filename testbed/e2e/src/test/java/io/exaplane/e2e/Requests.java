// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How long each request of a client took, those that failed, and the longest time without one that
 * succeeded. A request that an apiserver refuses because the apiserver ends (429) is repeated once,
 * as every client of Kubernetes does. Threadsafe.
 */
final class Requests {
  /**
   * What was seen.
   *
   * @param repeated refused by an apiserver that ended
   * @param failures each with its time
   * @param mostInARow that failed one after the other: one fails where a client that repeats once
   *     sees nothing
   * @param longestGapMs between the ends of two requests that succeeded
   * @param p999Ms 99.9th percentile of all requests
   */
  record Report(
      int requests,
      int repeated,
      List<String> failures,
      int mostInARow,
      long longestGapMs,
      long p999Ms) {}

  private static final int TOO_MANY_REQUESTS = 429;

  private final List<Long> tookMs = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private long lastSuccess = System.nanoTime();
  private long longestGapMs;
  private int repeated;
  private int inARow;
  private int mostInARow;

  /** Makes a request, and returns whether it succeeded. */
  boolean attempt(String what, Runnable request) {
    long began = System.nanoTime();
    try {
      runOrRepeat(request);
      noteSuccess(began);
      return true;
    } catch (RuntimeException | AssertionError e) {
      // A task that throws is never run again.
      noteFailure(began, what + ": " + e.getMessage());
      return false;
    }
  }

  private void runOrRepeat(Runnable request) {
    try {
      request.run();
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != TOO_MANY_REQUESTS) {
        throw refused;
      }
      noteRepeated();
      request.run();
    }
  }

  private synchronized void noteRepeated() {
    repeated++;
  }

  private synchronized void noteSuccess(long began) {
    long now = System.nanoTime();
    longestGapMs = Math.max(longestGapMs, (now - lastSuccess) / 1_000_000);
    lastSuccess = now;
    inARow = 0;
    tookMs.add(Duration.ofNanos(now - began).toMillis());
  }

  private synchronized void noteFailure(long began, String text) {
    failures.add(Instant.now() + " " + text);
    mostInARow = Math.max(mostInARow, ++inARow);
    tookMs.add(Duration.ofNanos(System.nanoTime() - began).toMillis());
  }

  /** What was seen so far, printed as one line. */
  synchronized Report report(String title) {
    List<Long> sorted = new ArrayList<>(tookMs);
    Collections.sort(sorted);
    Report report =
        new Report(
            sorted.size(),
            repeated,
            List.copyOf(failures),
            mostInARow,
            longestGapMs,
            sorted.isEmpty() ? 0 : sorted.get((int) Math.floor(0.999 * (sorted.size() - 1))));
    System.out.printf(
        "%s: %d requests, %d repeated, %d failed, longest gap %d ms, p99.9 %d ms%n",
        title,
        report.requests(),
        repeated,
        report.failures().size(),
        longestGapMs,
        report.p999Ms());
    return report;
  }
}
