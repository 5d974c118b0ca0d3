// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import java.nio.charset.StandardCharsets;

/** What {@link ByteSink} wrote. One thread; it throws where there is less than is asked for. */
final class ByteSource {
  private static final int LONGEST = 64;

  private final byte[] bytes;
  private final int end;
  private int at;

  ByteSource(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.end = end;
    at = from;
  }

  boolean isAtEnd() {
    return at == end;
  }

  boolean flag() {
    return next() != 0;
  }

  private byte next() {
    if (at >= end) {
      throw new IllegalArgumentException("the message is incomplete");
    }
    return bytes[at++];
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < LONGEST; shift += 7) {
      byte next = next();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new IllegalArgumentException("a number without an end");
  }

  /** How many follow; not more than there are bytes. */
  int count() {
    return count(1);
  }

  /** How many of so many bytes each, at least, follow; not more than there are bytes for. */
  int count(int eachBytes) {
    long count = number();
    if (count < 0 || count > (end - at) / eachBytes) {
      throw new IllegalArgumentException(count + " elements: more than the message can hold");
    }
    return (int) count;
  }

  String text() {
    int length = count();
    String text = new String(bytes, at, length, StandardCharsets.UTF_8);
    at += length;
    return text;
  }

  /** What {@link ByteSink#eight} wrote. */
  long eight() {
    if (end - at < Long.BYTES) {
      throw new IllegalArgumentException("the message ends within a number of eight bytes");
    }
    long value = (long) ByteSink.LONGS.get(bytes, at);
    at += Long.BYTES;
    return value;
  }

  /** All that follow, without reading them. */
  Packed rest() {
    Packed rest = new Packed(bytes, at, end);
    at = end;
    return rest;
  }
}
