// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.util.ArrayDeque;

/**
 * Knows at which revision the store was a while ago, to a tenth of that time. Belongs to the
 * writer.
 */
final class HistoryWindow {
  /** What was not that long ago. */
  static final long NONE = 0;

  private static final int SAMPLES = 10;

  private record Sample(long atMs, long revision) {}

  private final long lengthMs;
  private final long sampleMs;
  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  HistoryWindow(long lengthMs) {
    this.lengthMs = lengthMs;
    this.sampleMs = Math.max(1, lengthMs / SAMPLES);
  }

  /**
   * Looks at the store; to be called often.
   *
   * @param nowMs never less than before
   * @param revision the newest
   * @return the newest revision that was taken down at least the window's length ago, {@link #NONE}
   *     if it has not been looked at for so long
   */
  long start(long nowMs, long revision) {
    if (samples.isEmpty() || nowMs - samples.getLast().atMs >= sampleMs) {
      samples.add(new Sample(nowMs, revision));
    }
    long start = NONE;
    while (!samples.isEmpty() && nowMs - samples.getFirst().atMs >= lengthMs) {
      start = samples.removeFirst().revision;
    }
    return start;
  }
}
