// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.pace;

import io.exaplane.apply.port.ServerLoad;

/**
 * Whether a live heap that is too full may still fall. A server tells what its last collection of
 * garbage found alive, and that is more than what stays: work that ended since then, and what Go
 * keeps in pools until the second collection. A server without work collects each two minutes. A
 * server that still makes handlers of definitions which exist is not calm: until it serves one, the
 * definition counts twice, in the heap and as a new one. Single writer; times in ms of its clock.
 */
public final class FallingHeap {
  /** Between two looks. */
  public static final long AGAIN_MS = 10_000;

  /** How long a heap may fall at most: two collections of a server without work, and a minute. */
  public static final long MOST_MS = 300_000;

  private static final int COLLECTIONS = 2;
  private static final long CALM_MS = 60_000;

  /** A part of the heap that counts as fallen. */
  private static final double FALL = 0.01;

  private final long began;
  private double lowest;
  private int fewest;

  /** How many had ended when the heap fell last, and when it was looked at last. */
  private double collections;

  private double seen;
  private long fellAt;

  /**
   * Of a server.
   *
   * @param first what it told first, with a known live heap
   * @param added definitions that it did not serve then
   * @param now the time
   */
  public FallingHeap(ServerLoad first, int added, long now) {
    began = now;
    lowest = first.liveBytes();
    fewest = added;
    fell(first, now);
  }

  private void fell(ServerLoad load, long now) {
    collections = load.collections();
    seen = load.collections();
    fellAt = now;
  }

  /**
   * The server told its figures again.
   *
   * @param load what it told; without a live heap, it counts as nothing
   * @param added definitions that it does not serve
   * @param now the time
   */
  public void looked(ServerLoad load, int added, long now) {
    if (load.liveBytes() <= 0) {
      return;
    }
    if (load.liveBytes() < (1 - FALL) * lowest || added < fewest) {
      lowest = Math.min(lowest, load.liveBytes());
      fewest = Math.min(fewest, added);
      fell(load, now);
    } else if (load.collections() < collections) {
      // Another server, or one that started again: its collections are counted from here on.
      collections = load.collections();
      fellAt = now;
    }
    seen = load.collections();
  }

  /**
   * Whether it is worth to look again.
   *
   * @param now the time
   * @return false after {@link #MOST_MS}, and once two collections and a minute passed without a
   *     lower heap and without a definition more that is served
   */
  public boolean mayFall(long now) {
    boolean calm = seen - collections >= COLLECTIONS && now - fellAt >= CALM_MS;
    return now - began < MOST_MS && !calm;
  }
}
