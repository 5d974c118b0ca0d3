// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Names that were seen: 11 to 21 bytes each, however long they are, as 64 bits of a hash. A name
 * that was not seen looks like one with a probability of their number in 2^64. One thread.
 */
final class SeenNames {
  private static final int FIRST_CAPACITY = 1 << 10;
  private static final long PRIME = 0xC2B2AE3D27D4EB4FL;

  /** So that nobody can choose names that look alike. */
  private final long seed = ThreadLocalRandom.current().nextLong();

  private long[] slots = new long[FIRST_CAPACITY];
  private int size;

  void add(String namespace, String name) {
    if (insert(slots, hash(namespace, name)) && ++size > slots.length / 4 * 3) {
      long[] larger = new long[2 * slots.length];
      Arrays.stream(slots).filter(hash -> hash != 0).forEach(hash -> insert(larger, hash));
      slots = larger;
    }
  }

  boolean contains(String namespace, String name) {
    long hash = hash(namespace, name);
    int at = (int) hash & (slots.length - 1);
    while (slots[at] != 0) {
      if (slots[at] == hash) {
        return true;
      }
      at = (at + 1) & (slots.length - 1);
    }
    return false;
  }

  int size() {
    return size;
  }

  private static boolean insert(long[] into, long hash) {
    int at = (int) hash & (into.length - 1);
    while (into[at] != 0) {
      if (into[at] == hash) {
        return false;
      }
      at = (at + 1) & (into.length - 1);
    }
    into[at] = hash;
    return true;
  }

  /** Never 0. */
  private long hash(String namespace, String name) {
    long hash = mix(mix(seed, namespace) ^ '/', name);
    hash ^= hash >>> 32;
    hash *= PRIME;
    hash ^= hash >>> 29;
    return hash == 0 ? 1 : hash;
  }

  private static long mix(long hash, String text) {
    long mixed = hash;
    for (int i = 0; i < text.length(); i++) {
      mixed = (mixed ^ text.charAt(i)) * PRIME;
      mixed ^= mixed >>> 31;
    }
    return mixed;
  }
}
