// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

/** The most of something that fell into one window of time; events come nearly in order. */
final class Windows {
  private final long windowMicros;
  private long window = Long.MIN_VALUE;
  private int count;
  private int most;

  Windows(long windowSeconds) {
    windowMicros = windowSeconds * 1_000_000;
  }

  void add(long micros) {
    long now = Math.floorDiv(micros, windowMicros);
    if (now != window) {
      window = now;
      count = 0;
    }
    most = Math.max(most, ++count);
  }

  int most() {
    return most;
  }
}
