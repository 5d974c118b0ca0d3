// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.membership;

import io.exaplane.scheduler.engine.model.StableHash;

/** The parts in which nodes change hands, by the hash of their names. */
public final class VirtualShards {
  /** How many there are: enough for shares of a few hundred members to be even. */
  public static final int COUNT = 4096;

  private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(COUNT);

  private VirtualShards() {}

  /** The part of a node, from 0 to {@link #COUNT} - 1. */
  public static int of(String node) {
    long hash = StableHash.of(node);
    return (int) ((hash * 0x9E3779B97F4A7C15L) >>> SHIFT);
  }
}
