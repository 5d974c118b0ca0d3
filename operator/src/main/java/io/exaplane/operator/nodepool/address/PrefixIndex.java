// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import java.util.Iterator;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Prefixes and who has them. Who overlaps a prefix is found in O(log n), for each length that
 * occurs. One thread at a time.
 */
final class PrefixIndex {
  private final NavigableSet<Held> all = new TreeSet<>();
  private final int[] ofLength = new int[Prefix.MOST_BITS + 1];

  /** A prefix of somebody's; several may have the same. */
  record Held(Prefix prefix, String owner) implements Comparable<Held> {
    @Override
    public int compareTo(Held other) {
      int order = prefix.compareTo(other.prefix);
      return order == 0 ? owner.compareTo(other.owner) : order;
    }
  }

  void add(Prefix prefix, String owner) {
    if (all.add(new Held(prefix, owner))) {
      ofLength[prefix.bits()]++;
    }
  }

  void remove(Prefix prefix, String owner) {
    if (all.remove(new Held(prefix, owner))) {
      ofLength[prefix.bits()]--;
    }
  }

  int size() {
    return all.size();
  }

  /**
   * The first, in the order of prefixes and owners, that overlaps the prefix and is wanted. {@code
   * wanted} must not change the index.
   */
  Optional<Held> first(Prefix prefix, Predicate<Held> wanted) {
    for (int bits = 0; bits <= prefix.bits(); bits++) {
      if (ofLength[bits] > 0) {
        Prefix around = prefix.within(bits);
        Iterator<Held> same = from(around);
        while (same.hasNext()) {
          Held held = same.next();
          if (!held.prefix().equals(around)) {
            break;
          }
          if (wanted.test(held)) {
            return Optional.of(held);
          }
        }
      }
    }
    return prefix.bits() == Prefix.MOST_BITS ? Optional.empty() : firstInside(prefix, wanted);
  }

  /** Of those that are smaller than the prefix. */
  private Optional<Held> firstInside(Prefix prefix, Predicate<Held> wanted) {
    Iterator<Held> inside = from(prefix.within(prefix.bits() + 1));
    while (inside.hasNext()) {
      Held held = inside.next();
      if (prefix.endsBefore(held.prefix())) {
        break;
      }
      if (wanted.test(held)) {
        return Optional.of(held);
      }
    }
    return Optional.empty();
  }

  private Iterator<Held> from(Prefix prefix) {
    return all.tailSet(new Held(prefix, ""), true).iterator();
  }
}
