// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Labels of an object: immutable, sorted by key, in a single array of keys and values in turn; two
 * references a label.
 */
public final class Labels {
  public static final Labels NONE = new Labels(new String[0]);

  private final String[] pairs;
  private final int hash;

  private Labels(String[] pairs) {
    this.pairs = pairs;
    this.hash = Arrays.hashCode(pairs);
  }

  public static Labels of(Map<String, String> labels) {
    if (labels.isEmpty()) {
      return NONE;
    }
    String[] pairs = new String[labels.size() * 2];
    int i = 0;
    for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
      pairs[i++] = label.getKey();
      pairs[i++] = label.getValue();
    }
    return new Labels(pairs);
  }

  /**
   * The same labels with every string taken through the pool, so that a million nodes share theirs.
   */
  public Labels in(Pool pool) {
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = pool.string(pairs[i]);
    }
    return this;
  }

  /** The value, or null if there is no such label. */
  public String get(String key) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(key)) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  public int size() {
    return pairs.length / 2;
  }

  /** The same as a map, in the order of the keys. */
  public SortedMap<String, String> toMap() {
    SortedMap<String, String> map = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Labels that && hash == that.hash && Arrays.equals(pairs, that.pairs);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < pairs.length; i += 2) {
      text.append(i == 0 ? "" : ",").append(pairs[i]).append('=').append(pairs[i + 1]);
    }
    return text.append('}').toString();
  }
}
