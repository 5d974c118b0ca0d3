// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store;

import java.util.stream.LongStream;

/**
 * Which histories a simulation runs: {@code -Dseed=N} repeats one, {@code -Dhistories=N} runs more,
 * {@code -Dfirst=N} others.
 */
public final class Seeds {
  private Seeds() {}

  /** The seeds; {@code usual} is their number if nothing is said. */
  public static LongStream of(int usual) {
    Long seed = Long.getLong("seed");
    long first = Long.getLong("first", 0);
    return seed != null
        ? LongStream.of(seed)
        : LongStream.range(first, first + Long.getLong("histories", usual));
  }
}
