// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import java.util.Arrays;

/** Numbers pairs of numbers from 0 on, in the order in which they are first seen. One thread. */
final class PairIds {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final int NONE = -1;

  private long[] pairs = new long[16];
  private int[] ids = new int[16];
  private int size;

  PairIds() {
    Arrays.fill(ids, NONE);
  }

  int of(int one, int other) {
    long pair = (long) one << Integer.SIZE | (other & 0xFFFF_FFFFL);
    int place = find(pair);
    if (ids[place] != NONE) {
      return ids[place];
    }
    if (2 * size >= ids.length) {
      grow();
      place = find(pair);
    }
    pairs[place] = pair;
    ids[place] = size;
    return size++;
  }

  private int find(long pair) {
    int mask = ids.length - 1;
    int place = (int) (pair * GOLDEN >>> Integer.SIZE) & mask;
    while (ids[place] != NONE && pairs[place] != pair) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private void grow() {
    long[] knownPairs = pairs;
    int[] knownIds = ids;
    pairs = new long[2 * knownIds.length];
    ids = new int[2 * knownIds.length];
    Arrays.fill(ids, NONE);
    for (int i = 0; i < knownIds.length; i++) {
      if (knownIds[i] != NONE) {
        int place = find(knownPairs[i]);
        pairs[place] = knownPairs[i];
        ids[place] = knownIds[i];
      }
    }
  }
}
