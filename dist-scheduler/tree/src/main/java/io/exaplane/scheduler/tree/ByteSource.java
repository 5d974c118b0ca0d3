// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import java.nio.charset.StandardCharsets;

/** What {@link ByteSink} wrote. One thread; it throws where there is less than is asked for. */
final class ByteSource {
  private static final int LONGEST = 64;

  private final byte[] bytes;
  private int at;

  ByteSource(byte[] bytes) {
    this.bytes = bytes;
  }

  boolean isAtEnd() {
    return at == bytes.length;
  }

  boolean flag() {
    return bytes[at++] != 0;
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < LONGEST; shift += 7) {
      byte next = bytes[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new IllegalArgumentException("a number that does not end");
  }

  /** How many follow; not more than there are bytes. */
  int count() {
    long count = number();
    if (count < 0 || count > bytes.length - at) {
      throw new IllegalArgumentException(count + " of something: there are less bytes");
    }
    return (int) count;
  }

  String text() {
    int length = count();
    String text = new String(bytes, at, length, StandardCharsets.UTF_8);
    at += length;
    return text;
  }
}
