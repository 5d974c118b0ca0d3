// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.load;

/**
 * Estimates what an object in protobuf takes decoded, where its bytes alone would say much too
 * little: many entries of maps and items of lists that are a few bytes long. A field with a length
 * is at least one allocation, so fields count. One pass over each byte, which allocates nothing.
 * Nothing says which fields are messages: what can be read as one counts as one, and text seldom
 * can. Stateless.
 */
final class ProtobufLoad {
  /** Of a field with a length, beside its bytes. Measured, see DESIGN.md. */
  private static final int FIELD_BYTES = 20;

  /** Other objects take less than this for each byte. */
  private static final int USUAL_PER_BYTE = 3;

  /** What kube-apiserver writes before a message: k8s and a zero. */
  private static final int MAGIC = 'k' << 24 | '8' << 16 | 's' << 8;

  private static final int MAGIC_BYTES = 4;

  /** A smaller one is most of the time a Lease, and what each object takes is most of it. */
  static final int LEAST_BYTES = 512;

  /** Messages of Kubernetes are a tenth of that. */
  private static final int MOST_DEPTH = 100;

  private static final int NO_MESSAGE = -1;
  private static final int LEAST_MESSAGE_BYTES = 2;
  private static final int MOST_VARINT_BITS = 35;

  // Wire types.
  private static final int TYPES = 7;
  private static final int VARINT = 0;
  private static final int EIGHT_BYTES = 1;
  private static final int BYTES = 2;
  private static final int FOUR_BYTES = 5;

  private ProtobufLoad() {}

  /** Whether a value is a large one, as kube-apiserver stores its own Kinds. */
  static boolean isLarge(byte[] value, int offset, int length) {
    return length >= LEAST_BYTES
        && (value[offset] << 24
                | value[offset + 1] << 16
                | value[offset + 2] << 8
                | value[offset + 3])
            == MAGIC;
  }

  /** Bytes that the value takes decoded; 0 if its bytes alone tell that. */
  static int of(byte[] value, int offset, int length) {
    int fields = fields(value, offset + MAGIC_BYTES, offset + length, 0);
    long load = length + (long) FIELD_BYTES * Math.max(0, fields);
    return load > (long) USUAL_PER_BYTE * length ? Math.clamp(load, 1, Integer.MAX_VALUE) : 0;
  }

  /** Fields with a length of a message and of the messages in it. */
  private static int fields(byte[] message, int from, int end, int depth) {
    int at = from;
    int fields = 0;
    while (at < end) {
      int first = at;
      at = behindVarint(message, at, end);
      // The lowest bits are in the first byte, and a field's number is not 0.
      if (at < 0 || message[first] >= 0 && message[first] <= TYPES) {
        return NO_MESSAGE;
      }
      switch (message[first] & TYPES) {
        case VARINT -> at = behindVarint(message, at, end);
        case EIGHT_BYTES -> at += Long.BYTES;
        case FOUR_BYTES -> at += Integer.BYTES;
        case BYTES -> {
          int begin = behindVarint(message, at, end);
          long length = begin < 0 ? Long.MAX_VALUE : varint(message, at, begin);
          if (length > end - begin) {
            return NO_MESSAGE;
          }
          at = begin + (int) length;
          fields++;
          if (length >= LEAST_MESSAGE_BYTES && depth < MOST_DEPTH) {
            fields += Math.max(0, fields(message, begin, at, depth + 1));
          }
        }
        default -> {
          return NO_MESSAGE; // a group, or what is no field
        }
      }
      if (at < 0 || at > end) {
        return NO_MESSAGE;
      }
    }
    return fields;
  }

  /** Position behind a number; below zero if it has no end. */
  private static int behindVarint(byte[] message, int from, int end) {
    int at = from;
    while (at < end) {
      if (message[at++] >= 0) {
        return at;
      }
    }
    return -1;
  }

  private static long varint(byte[] message, int from, int end) {
    long value = 0;
    for (int i = end - 1; i >= from; i--) {
      if (7 * (i - from) >= MOST_VARINT_BITS) {
        return Long.MAX_VALUE;
      }
      value = value << 7 | message[i] & 0x7f;
    }
    return value;
  }
}
