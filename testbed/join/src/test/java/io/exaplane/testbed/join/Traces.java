// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.testbed.machine.Await;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Compares what a host has with what it had. Programs that were told to end take their time on a
 * busy machine, and so do folders that a program makes after its start. Stateless.
 */
final class Traces {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int SAME = 3;

  private Traces() {}

  /** Until the host is as it was; fails with the lines that differ. */
  static void same(Callable<String> now, String before) throws Exception {
    Await.until(
        PATIENCE,
        "the host is as before",
        () -> now.call().equals(before),
        () -> difference(before, now.call()));
  }

  /** What the host has as soon as it changes no more. */
  static String settled(Callable<String> now) throws Exception {
    String[] last = {now.call()};
    int[] same = {1};
    Await.until(
        PATIENCE,
        "the host changes no more",
        () -> {
          String next = now.call();
          same[0] = next.equals(last[0]) ? same[0] + 1 : 1;
          last[0] = next;
          return same[0] >= SAME;
        },
        () -> last[0]);
    return last[0];
  }

  private static String difference(String before, String now) {
    Set<String> gone = new LinkedHashSet<>(before.lines().toList());
    Set<String> come = new LinkedHashSet<>(now.lines().toList());
    now.lines().forEach(gone::remove);
    before.lines().forEach(come::remove);
    return "no more: %s; new: %s".formatted(gone, come);
  }
}
