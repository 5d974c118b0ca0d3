// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.pace;

import io.exaplane.apply.port.ServerLoad;
import java.util.Locale;

/**
 * How many definitions may be under way at once: sent, or applied and not yet established. The
 * number begins small, doubles while all goes well, and from the first bad sign on grows by one a
 * round. Bad signs are slow applies, late establishment, refused or queued requests, and memory
 * that fills up. Above {@link #FULL} of the memory nothing goes. Single writer; times in ms of its
 * clock.
 */
public final class DefinitionPace {
  /** How many may be under way at first: a source with fewer definitions is never held up. */
  public static final int START = 10;

  /** How many may be under way at most. */
  public static final int MOST = 100;

  /**
   * Live heap by GOMEMLIMIT above which nothing goes. That is 0.65 of a container's limit, of which
   * GOMEMLIMIT is 0.85: with more, the collector has no room, and takes the cores.
   */
  public static final double FULL = 0.76;

  private static final double NEAR = 0.65;
  private static final int FEW = 4;
  private static final double SLOW = 4;
  private static final long SLOW_APPLY_MS = 500;
  private static final long LATE_MS = 2_000;
  private static final long SHRUNK_AT_MOST_EACH_MS = 500;
  private static final double BUSY = 0.8;
  private static final double MIB = 1 << 20;

  private double window = START;
  private boolean shrunk;
  private long shrunkAt = Long.MIN_VALUE / 2;
  private long heldUntil;
  private boolean near;
  private String full = "";
  private String sign = "";
  private long bestApply = Long.MAX_VALUE;
  private long bestEstablished = Long.MAX_VALUE;
  private double rejected = -1;

  /**
   * Whether one more may go.
   *
   * @param underWay how many are
   * @param adds whether it is a new one, which takes memory
   * @param now the time
   * @return false for not yet
   */
  public boolean free(int underWay, boolean adds, long now) {
    return (full.isEmpty() || !adds) && now >= heldUntil && underWay < window();
  }

  /**
   * How many may be under way now.
   *
   * @return at least 1
   */
  public int window() {
    return Math.max(1, Math.min(near ? FEW : MOST, (int) window));
  }

  /**
   * When the server wants to hear from us again.
   *
   * @return 0 for at any time
   */
  public long heldUntilMs() {
    return heldUntil;
  }

  /**
   * What holds definitions up now.
   *
   * @return the last bad sign; empty before one
   */
  public String words() {
    return full.isEmpty() ? sign : full;
  }

  /**
   * A definition was applied.
   *
   * @param latencyMs how long that took
   * @param now the time
   */
  public void applied(long latencyMs, long now) {
    bestApply = Math.min(bestApply, Math.max(1, latencyMs));
    if (latencyMs > Math.max(SLOW_APPLY_MS, (long) (SLOW * bestApply))) {
      shrink(0.8, now, "an apply took " + latencyMs + " ms");
    }
  }

  /**
   * A definition is established, or not established yet.
   *
   * @param delayMs how long it took since the apply was sent
   * @param now the time
   */
  public void established(long delayMs, long now) {
    bestEstablished = Math.min(bestEstablished, Math.max(1, delayMs));
    if (delayMs > Math.max(LATE_MS, (long) (SLOW * bestEstablished))) {
      shrink(0.8, now, "a definition was not established within " + delayMs + " ms");
    } else {
      window = Math.min(MOST, window + (shrunk ? 1 / window : 1));
    }
  }

  /**
   * A request was refused since there are too many, or was not answered.
   *
   * @param retryAfterMs what the server asks for; 0 for nothing
   * @param now the time
   */
  public void overloaded(long retryAfterMs, long now) {
    shrink(0.5, now, "the server refused a request, or did not answer");
    heldUntil = Math.max(heldUntil, now + Math.clamp(retryAfterMs, 500, 60_000));
  }

  /**
   * The server said how busy it is.
   *
   * @param load what it said
   * @param now the time
   */
  public void looked(ServerLoad load, long now) {
    memory(load);
    if (load.rejected() >= 0) {
      if (rejected >= 0 && load.rejected() > rejected) {
        shrink(0.5, now, "the server refused requests of others with 429");
      }
      rejected = load.rejected();
    }
    if (load.queued() > 0) {
      shrink(0.5, now, "requests wait for a seat: " + (long) load.queued());
    } else if (load.allSeats() > 0 && load.seats() > BUSY * load.allSeats()) {
      shrink(0.8, now, (long) load.seats() + " of " + (long) load.allSeats() + " seats are in use");
    }
  }

  private void memory(ServerLoad load) {
    double share = load.knowsMemory() ? load.liveBytes() / load.limitBytes() : 0;
    near = share >= NEAR;
    full =
        share < FULL
            ? ""
            : String.format(
                Locale.ROOT,
                "kube-apiserver's live heap of %.0f MiB is %.0f %% of its GOMEMLIMIT of %.0f MiB,"
                    + " and more than %.0f %% leaves no room; give kube-apiserver more memory, or"
                    + " leave definitions out",
                load.liveBytes() / MIB,
                100 * share,
                load.limitBytes() / MIB,
                100 * FULL);
  }

  /** One burst of signs is one sign. */
  private void shrink(double factor, long now, String why) {
    shrunk = true;
    sign = why;
    if (now - shrunkAt >= SHRUNK_AT_MOST_EACH_MS) {
      window = Math.max(1, window * factor);
      shrunkAt = now;
    }
  }
}
