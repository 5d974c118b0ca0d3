// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

/** A hash of text that is the same in every process and version. */
public final class StableHash {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private StableHash() {}

  public static long of(String text) {
    return of(text, 0);
  }

  /** One of many, by seed. */
  public static long of(String text, long seed) {
    long hash = seed;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * GOLDEN;
      hash ^= hash >>> 29;
    }
    return hash;
  }
}
