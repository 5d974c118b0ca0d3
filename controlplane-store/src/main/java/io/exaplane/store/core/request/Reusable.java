// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.request;

import java.util.ArrayList;
import java.util.function.Supplier;

/** A list whose elements are made once and filled anew, so that filling it allocates nothing. */
public final class Reusable<T> {
  private final ArrayList<T> all = new ArrayList<>();
  private final Supplier<T> make;
  private int size;

  public Reusable(Supplier<T> make) {
    this.make = make;
  }

  /** Takes the next element, with whatever is in it. */
  public T add() {
    if (size == all.size()) {
      all.add(make.get());
    }
    return all.get(size++);
  }

  public T get(int index) {
    return all.get(index);
  }

  public int size() {
    return size;
  }

  public void clear() {
    size = 0;
  }
}
