// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.protobuf;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A message that is too large to be held: its tags and lengths as they come. For one thread. */
final class StreamedMessage {
  private static final int BYTES = 2;
  private static final int TYPE_MASK = 7;
  private static final int GROUP_BITS = 7;
  private static final int MOST_BITS = 63;

  private final InputStream in;
  private long position;

  StreamedMessage(InputStream in) {
    this.in = in;
  }

  /** How many bytes were read. */
  long position() {
    return position;
  }

  /** The next byte, which tags of small numbers are, or -1 at the end. */
  int next() throws IOException {
    position++;
    return in.read();
  }

  /** The length of the value that a tag begins. */
  long length(int tag) throws IOException {
    if (tag < 0) {
      throw new EOFException();
    }
    if ((tag & TYPE_MASK) != BYTES || tag > Byte.MAX_VALUE) {
      throw new DamagedException("a field has the tag " + tag, position);
    }
    long length = 0;
    for (int shift = 0; shift < MOST_BITS; shift += GROUP_BITS) {
      int next = next();
      if (next < 0) {
        throw new EOFException();
      }
      length |= (long) (next & Byte.MAX_VALUE) << shift;
      if (next <= Byte.MAX_VALUE) {
        return length;
      }
    }
    throw new DamagedException("a length is too long", position);
  }

  /** The same of a value that ends before a place. */
  long length(int tag, long end) throws IOException {
    long length = length(tag);
    if (length > end - position) {
      throw new DamagedException(
          "a value of " + length + " bytes is longer than its message", position);
    }
    return length;
  }

  void read(byte[] to, int length) throws IOException {
    if (in.readNBytes(to, 0, length) < length) {
      throw new EOFException();
    }
    position += length;
  }

  String string(int length) throws IOException {
    byte[] bytes = new byte[length];
    read(bytes, length);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  void skip(long length) throws IOException {
    in.skipNBytes(length);
    position += length;
  }
}
