// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

/**
 * How many requests may be under way at once: one more for each round that goes well, half when the
 * server says 429 or 503 or does not answer, a tenth less when answers take four times as long as
 * they can (additive increase, multiplicative decrease). Single writer; times in ms of its clock.
 */
final class Pace {
  private static final double START = 4;
  private static final double SLOW = 4;
  private static final long SLOW_AT_LEAST_MS = 200;
  private static final long HALVED_AT_MOST_EACH_MS = 250;

  private final int most;
  private double window = START;
  private int sent;
  private long best = Long.MAX_VALUE;
  private long shrunkAt = Long.MIN_VALUE / 2;
  private long heldUntil;

  Pace(int most) {
    this.most = most;
  }

  /** Whether one more request may go. */
  boolean free(long now) {
    return now >= heldUntil && sent < Math.max(1, (int) window);
  }

  /** When the server wants to hear from us again; 0 when at any time. */
  long heldUntilMs() {
    return heldUntil;
  }

  int window() {
    return Math.max(1, (int) window);
  }

  void sent() {
    sent++;
  }

  void answered(long latencyMs, long now) {
    sent--;
    best = Math.min(best, Math.max(1, latencyMs));
    if (latencyMs > Math.max(SLOW_AT_LEAST_MS, (long) (SLOW * best))) {
      shrink(0.9, now);
    } else {
      window = Math.min(most, window + 1 / window);
    }
  }

  /** The server refused, but not because of too many requests. */
  void refused() {
    sent--;
  }

  /** Too many requests, or no answer at all. */
  void overloaded(long retryAfterMs, long now) {
    sent--;
    shrink(0.5, now);
    heldUntil = Math.max(heldUntil, now + Math.clamp(retryAfterMs, 100, 60_000));
  }

  /** One burst of refusals is one sign, not many. */
  private void shrink(double factor, long now) {
    if (now - shrunkAt >= HALVED_AT_MOST_EACH_MS) {
      window = Math.max(1, window * factor);
      shrunkAt = now;
    }
  }
}
