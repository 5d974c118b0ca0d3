// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.cache;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One of all values that are equal, as long as somebody uses it. Values must not change.
 * Thread-safe.
 *
 * @param <T> the values
 */
final class Canonical<T> {
  private final Map<Known<T>, Known<T>> values = new ConcurrentHashMap<>();
  private final ReferenceQueue<T> unused = new ReferenceQueue<>();

  /** The one that is equal to this, which may be this. */
  T of(T value) {
    forgetUnused();
    Known<T> mine = new Known<>(value, unused);
    while (true) {
      Known<T> known = values.putIfAbsent(mine, mine);
      T first = known == null ? value : known.get();
      if (first != null) {
        return first;
      }
      values.remove(known, known);
    }
  }

  /** How many are known. */
  int size() {
    forgetUnused();
    return values.size();
  }

  private void forgetUnused() {
    for (Reference<? extends T> gone = unused.poll(); gone != null; gone = unused.poll()) {
      values.remove(gone);
    }
  }

  /** Equal to another while its value is there, and to itself in any case. */
  private static final class Known<T> extends WeakReference<T> {
    private final int hash;

    Known(T value, ReferenceQueue<T> unused) {
      super(value, unused);
      this.hash = value.hashCode();
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      if (this == other) {
        return true;
      }
      T mine = get();
      return mine != null && other instanceof Known<?> known && mine.equals(known.get());
    }
  }
}
