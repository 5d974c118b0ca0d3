// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Keys from a first one on: one key, those below an end, or all that follow. The meaning of {@code
 * key} and {@code range_end} in etcd's requests.
 */
public final class KeyRange {
  private static final byte[] NOTHING = {};

  private final byte[] start;
  private final byte[] end;
  private final boolean single;

  private KeyRange(byte[] start, byte[] end, boolean single) {
    this.start = start;
    this.end = end;
    this.single = single;
  }

  /** From a request's two fields: an empty end means one key, a zero byte all that follow. */
  public static KeyRange of(byte[] key, byte[] rangeEnd) {
    if (rangeEnd.length == 0) {
      return new KeyRange(key, Arrays.copyOf(key, key.length + 1), true);
    }
    boolean open = rangeEnd.length == 1 && rangeEnd[0] == 0;
    return new KeyRange(key, open ? null : rangeEnd, false);
  }

  public static KeyRange all() {
    return new KeyRange(NOTHING, null, false);
  }

  /** The keys that begin with a prefix, which has no byte 0xff at its end: none in UTF-8 has. */
  public static KeyRange ofPrefix(byte[] prefix) {
    if (prefix.length == 0) {
      return all();
    }
    byte[] end = prefix.clone();
    end[end.length - 1]++;
    return new KeyRange(prefix, end, false);
  }

  public byte[] start() {
    return start;
  }

  /** The first key above the range; null if the range is open. */
  public byte[] end() {
    return end;
  }

  /** Whether the range is one key. */
  public boolean isSingle() {
    return single;
  }

  /** Whether no key can be in the range. */
  public boolean isEmpty() {
    return end != null && Arrays.compareUnsigned(start, end) >= 0;
  }

  /** Whether a key can be in both. */
  public boolean meets(KeyRange other) {
    return (end == null || Arrays.compareUnsigned(other.start, end) < 0)
        && (other.end == null || Arrays.compareUnsigned(other.end, start) > 0);
  }

  /** Whether every key of the other one is in this. */
  public boolean holds(KeyRange other) {
    return Arrays.compareUnsigned(other.start, start) >= 0
        && (end == null || other.end != null && Arrays.compareUnsigned(other.end, end) <= 0);
  }

  public boolean contains(MemorySegment memory, long record) {
    if (single) {
      return Records.hasKey(memory, record, start, 0, start.length);
    }
    return Records.compareKey(memory, record, start, 0, start.length) >= 0
        && (end == null || Records.compareKey(memory, record, end, 0, end.length) < 0);
  }

  public boolean contains(byte[] key) {
    return single
        ? Arrays.equals(start, key)
        : Arrays.compareUnsigned(key, start) >= 0
            && (end == null || Arrays.compareUnsigned(key, end) < 0);
  }
}
