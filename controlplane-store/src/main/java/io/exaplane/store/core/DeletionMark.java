// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Tells from a value whether its object is being deleted: kube-apiserver deletes an object with a
 * finalizer or a grace period by an update that sets {@code metadata.deletionTimestamp}, and
 * removes the object later. The value is read as kube-apiserver writes it, in JSON or protobuf.
 * Nothing can be read in an encrypted value: that one may be any. Stateless, allocates nothing.
 */
final class DeletionMark {
  private static final byte[] MEMBER = "\"deletionTimestamp\":\"".getBytes(US_ASCII);
  private static final byte[] PROTOBUF = {'k', '8', 's', 0};
  private static final byte[] ENCRYPTED = "k8s:enc:".getBytes(US_ASCII);

  // Numbers of fields, of runtime.Unknown, of every object, of ObjectMeta.
  private static final int RAW = 2;
  private static final int METADATA = 1;
  private static final int DELETION_TIMESTAMP = 9;

  // Wire types.
  private static final int TYPES = 7;
  private static final int TYPE_BITS = 3;
  private static final int VARINT = 0;
  private static final int EIGHT_BYTES = 1;
  private static final int BYTES = 2;
  private static final int FOUR_BYTES = 5;

  private static final long NONE = -1;
  private static final int MOST_VARINT_BYTES = 5;

  private DeletionMark() {}

  /** Whether the object in a value is being deleted, or may be. */
  static boolean isIn(byte[] value, int offset, int length) {
    int end = offset + length;
    if (length > 0 && value[offset] == '{') {
      return contains(value, offset, end);
    }
    return begins(value, offset, end, PROTOBUF)
        ? isInMessage(value, offset + PROTOBUF.length, end)
        : begins(value, offset, end, ENCRYPTED);
  }

  private static boolean contains(byte[] value, int from, int end) {
    for (int at = from; at <= end - MEMBER.length; at++) {
      if (value[at] == MEMBER[0] && begins(value, at, end, MEMBER)) {
        return true;
      }
    }
    return false;
  }

  private static boolean begins(byte[] value, int from, int end, byte[] text) {
    for (int i = 0; i < text.length; i++) {
      if (from + i >= end || value[from + i] != text[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isInMessage(byte[] value, int from, int end) {
    long raw = find(value, from, end, RAW);
    long metadata = raw == NONE ? NONE : find(value, begin(raw), end(raw), METADATA);
    return metadata != NONE
        && find(value, begin(metadata), end(metadata), DELETION_TIMESTAMP) != NONE;
  }

  private static int begin(long place) {
    return (int) (place >>> Integer.SIZE);
  }

  private static int end(long place) {
    return (int) place;
  }

  /** Where the bytes of a field lie, first and end in one number; NONE if there is none. */
  private static long find(byte[] message, int from, int end, int wanted) {
    int at = from;
    while (at >= 0 && at < end) {
      long tag = varint(message, at, end);
      at = behindVarint(message, at, end);
      switch (at < 0 ? TYPES : (int) tag & TYPES) {
        case VARINT -> at = behindVarint(message, at, end);
        case EIGHT_BYTES -> at += Long.BYTES;
        case FOUR_BYTES -> at += Integer.BYTES;
        case BYTES -> {
          long length = varint(message, at, end);
          int begin = behindVarint(message, at, end);
          if (begin < 0 || length > end - begin) {
            return NONE;
          }
          at = begin + (int) length;
          if (tag >>> TYPE_BITS == wanted) {
            return (long) begin << Integer.SIZE | at;
          }
        }
        default -> {
          return NONE; // a group, or what is no field
        }
      }
    }
    return NONE;
  }

  /** Position behind a number; below zero if it has no end. */
  private static int behindVarint(byte[] message, int from, int end) {
    for (int at = from; at < end; at++) {
      if (message[at] >= 0) {
        return at + 1;
      }
    }
    return -1;
  }

  /** A number; one that is too large for a length counts as the largest. */
  private static long varint(byte[] message, int from, int end) {
    long value = 0;
    for (int i = 0; from + i < end; i++) {
      if (i == MOST_VARINT_BYTES) {
        return Long.MAX_VALUE;
      }
      value |= (message[from + i] & 0x7fL) << 7 * i;
      if (message[from + i] >= 0) {
        break;
      }
    }
    return value;
  }
}
