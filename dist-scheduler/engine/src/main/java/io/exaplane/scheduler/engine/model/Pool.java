// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.HashMap;
import java.util.Map;

/**
 * One instance of each value that many objects have in common; of so many values that most can't be
 * in use any more, it forgets all. For one thread.
 */
public final class Pool {
  private static final int MOST = 1 << 21;

  private final Map<Object, Object> instances = new HashMap<>();

  /** The first value that was equal to this one. */
  @SuppressWarnings("unchecked")
  public <T> T one(T value) {
    if (instances.size() >= MOST) {
      instances.clear();
    }
    Object known = instances.putIfAbsent(value, value);
    return known == null ? value : (T) known;
  }

  public String string(String value) {
    return one(value);
  }
}
