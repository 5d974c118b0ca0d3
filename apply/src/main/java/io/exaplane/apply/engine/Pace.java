// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

/**
 * How many requests may be under way at once: one more for each round that goes well, half when the
 * server says 429 or 503 or does not answer, a tenth less when answers take twice as long as they
 * used to (additive increase, multiplicative decrease). Single writer; times in ms of its clock.
 *
 * <p>What answers take is a mean of the last few, and what they used to take a mean of some
 * hundred: on a busy machine, each answer takes another time, and fewer requests at once make none
 * of them quicker. For the same reason, slow answers alone never lower the number below the one at
 * the start. Refusals do.
 */
final class Pace {
  private static final double START = 4;
  private static final double SLOW = 2;
  private static final long SLOW_AT_LEAST_MS = 200;

  /** The weight of one answer in the mean of the last few, and in the one of some hundred. */
  private static final double FEW = 0.25;

  private static final double MANY = 0.01;
  private static final long HALVED_AT_MOST_EACH_MS = 250;

  private final int most;
  private double window = START;
  private int sent;
  private double lately = -1;
  private double usual;
  private long answers;
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
    lately = lately < 0 ? latencyMs : lately + FEW * (latencyMs - lately);
    // Of the first ones, each counts the same: the quickest of them comes back first.
    answers++;
    usual += Math.max(MANY, 1.0 / answers) * (latencyMs - usual);
    if (lately > Math.max(SLOW_AT_LEAST_MS, SLOW * usual)) {
      shrink(0.9, Math.min(window, START), now);
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
    shrink(0.5, 1, now);
    heldUntil = Math.max(heldUntil, now + Math.clamp(retryAfterMs, 100, 60_000));
  }

  /** One burst of refusals is one sign, not many. */
  private void shrink(double factor, double least, long now) {
    if (now - shrunkAt >= HALVED_AT_MOST_EACH_MS) {
      window = Math.max(least, window * factor);
      shrunkAt = now;
    }
  }
}
