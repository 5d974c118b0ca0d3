// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.codec;

import io.exaplane.store.core.load.KnownLoads;
import io.exaplane.store.core.load.ValueLoad;

/**
 * Finds large values in requests that may put them, and what they take decoded, so that the writer
 * need not: of 900 KB of JSON that is most of a millisecond. It looks at fields of bytes without
 * knowing the message: what is found and never put does no harm. A request that is no protobuf ends
 * the search. For one thread.
 */
public final class LargeValues {
  /** The writer walks over less at once: to find it costs as much. */
  public static final int LEAST_BYTES = 2048;

  /** As in a Txn, its operation, and the Put of that. */
  private static final int MOST_DEPTH = 3;

  private static final int WIRE_TYPES = 7;
  private static final int VARINT = 0;
  private static final int BYTES = 2;
  private static final int MOST_VARINT_BYTES = 10;

  private final ValueLoad load = new ValueLoad();
  private byte[] message;
  private int at;

  /** Adds what a message has. */
  public void find(byte[] array, int offset, int length, KnownLoads to) {
    if (length >= LEAST_BYTES) {
      message = array;
      at = offset;
      walk(offset + length, 1, to);
      message = null;
    }
  }

  private void walk(int end, int depth, KnownLoads to) {
    while (at < end) {
      int wireType = (int) varint(end) & WIRE_TYPES;
      if (wireType == VARINT) {
        varint(end);
      } else if (wireType == BYTES) {
        long length = varint(end);
        if (length < 0 || length > end - at) {
          at = end;
          return;
        }
        bytes((int) length, depth, to);
      } else {
        at = end; // no field that a request of etcd's has
      }
    }
  }

  private void bytes(int length, int depth, KnownLoads to) {
    int behind = at + length;
    if (length >= LEAST_BYTES) {
      if (ValueLoad.isWalked(message, at, length)) {
        to.add(at, length, load.of(message, at, length));
      } else if (depth < MOST_DEPTH) {
        walk(behind, depth + 1, to);
      }
    }
    at = behind;
  }

  private long varint(int end) {
    long value = 0;
    for (int i = 0; i < MOST_VARINT_BYTES && at < end; i++) {
      byte part = message[at++];
      value |= (part & 0x7fL) << 7 * i;
      if (part >= 0) {
        return value;
      }
    }
    at = end;
    return -1;
  }
}
