// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.load;

import java.util.Arrays;

/**
 * What values in one array take decoded, by where they lie: found by the thread that received a
 * request, for the one that carries it out. Reusable. Belongs to one thread at a time.
 */
public final class KnownLoads {
  /** Nobody walked over the value. */
  public static final int UNKNOWN = -1;

  private static final int USUAL = 4;

  private int[] offsets = new int[USUAL];
  private int[] lengths = new int[USUAL];
  private int[] loads = new int[USUAL];
  private int size;

  /** Forgets all. */
  public void clear() {
    size = 0;
  }

  /** Notes a value. */
  public void add(int offset, int length, int load) {
    if (size == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * size);
      lengths = Arrays.copyOf(lengths, 2 * size);
      loads = Arrays.copyOf(loads, 2 * size);
    }
    offsets[size] = offset;
    lengths[size] = length;
    loads[size++] = load;
  }

  /** What a value takes, 0 if its bytes alone tell that; {@link #UNKNOWN} if it was not found. */
  public int of(int offset, int length) {
    for (int i = 0; i < size; i++) {
      if (offsets[i] == offset && lengths[i] == length) {
        return loads[i];
      }
    }
    return UNKNOWN;
  }

  /** Number of values. */
  public int size() {
    return size;
  }
}
