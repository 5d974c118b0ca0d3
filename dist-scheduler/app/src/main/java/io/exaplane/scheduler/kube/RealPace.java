// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * As client-go paces its reflectors: 0.8 to 30 seconds between attempts and as much again at random
 * at most, watches of five to ten minutes. Source: client-go, tools/cache/reflector.go.
 */
public class RealPace implements Pace {
  private static final long FIRST_MS = 800;
  private static final long MOST_MS = 30_000;
  private static final int DOUBLINGS = 6;
  private static final long WATCH_SECONDS = 300;
  private static final Duration WITHOUT = Duration.ofMinutes(1);
  private static final Duration SILENCE = Duration.ofMinutes(3);
  private static final int PAGE_SIZE = 5000;

  @Override
  public long nowNs() {
    return System.nanoTime();
  }

  @Override
  public void pause(int failures, Duration atLeast) throws InterruptedException {
    long ms = Math.min(MOST_MS, FIRST_MS << Math.clamp(failures - 1, 0, DOUBLINGS));
    long random = ThreadLocalRandom.current().nextLong(ms + 1);
    Thread.sleep(Math.max(ms, atLeast.toMillis()) + random);
  }

  @Override
  public void pauseWithout() throws InterruptedException {
    Thread.sleep(WITHOUT);
  }

  @Override
  public long watchSeconds() {
    return WATCH_SECONDS + ThreadLocalRandom.current().nextLong(WATCH_SECONDS);
  }

  @Override
  public Duration silence() {
    return SILENCE;
  }

  @Override
  public int pageSize() {
    return PAGE_SIZE;
  }
}
