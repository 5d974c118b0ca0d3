// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.stats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A number that one thread raises and any thread reads. */
public final class Counter {
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long value;

  /** By its one thread. */
  public void add(long more) {
    VALUE.setOpaque(this, value + more);
  }

  public long get() {
    return (long) VALUE.getOpaque(this);
  }
}
