// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.codec;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.request.Slice;
import java.util.function.LongConsumer;

/**
 * Walks over the fields of an encoded protobuf message; what is none throws a {@link
 * StoreException}. Reusable; used by one thread.
 */
public final class ProtoReader {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int GROUP = 3;
  private static final int END_GROUP = 4;
  private static final int FIXED32 = 5;

  private byte[] array;
  private int at;
  private int end;
  private int wireType;

  /** Starts to read the bytes. */
  public ProtoReader open(byte[] array, int offset, int length) {
    this.array = array;
    this.at = offset;
    this.end = offset + length;
    return this;
  }

  /** Number of the next field, 0 at the end. Its value must then be read or skipped. */
  public int field() {
    if (at == end) {
      return 0;
    }
    long tag = rawVarint();
    wireType = (int) tag & 7;
    int field = (int) (tag >>> 3);
    if (field <= 0) {
      throw StoreException.malformed("field number " + field);
    }
    return field;
  }

  public long number() {
    if (wireType != VARINT) {
      throw StoreException.malformed("wire type " + wireType + " where a number belongs");
    }
    return rawVarint();
  }

  public boolean flag() {
    return number() != 0;
  }

  /** The number of one field, 0 without it, from a message of which nothing else is wanted. */
  public long numberOf(int wanted) {
    long number = 0;
    for (int field = field(); field != 0; field = field()) {
      if (field == wanted) {
        number = number();
      } else {
        skip();
      }
    }
    return number;
  }

  /** One number, or several packed into one field. */
  public void numbers(LongConsumer consumer) {
    if (wireType == VARINT) {
      consumer.accept(rawVarint());
      return;
    }
    int outer = enter();
    while (at < end) {
      consumer.accept(rawVarint());
    }
    leave(outer);
  }

  public void bytes(Slice slice) {
    int length = length();
    slice.set(array, at, length);
    at += length;
  }

  /** Enters the message that is the field's value; returns what {@link #leave} wants. */
  public int enter() {
    int length = length();
    int outer = end;
    end = at + length;
    return outer;
  }

  /** Goes on behind a message that was read to its end. */
  public void leave(int outer) {
    end = outer;
  }

  public void skip() {
    switch (wireType) {
      case VARINT -> rawVarint();
      case FIXED64 -> advance(8);
      case BYTES -> advance(length());
      case FIXED32 -> advance(4);
      case GROUP -> skipGroup();
      default -> throw StoreException.malformed("wire type " + wireType);
    }
  }

  /** Skips to the end of a group, with all groups in it. As etcd's, it only counts them. */
  private void skipGroup() {
    for (int open = 1; open > 0; ) {
      wireType = (int) rawVarint() & 7;
      if (wireType == GROUP) {
        open++;
      } else if (wireType == END_GROUP) {
        open--;
      } else {
        skip();
      }
    }
  }

  private int length() {
    if (wireType != BYTES) {
      throw StoreException.malformed("wire type " + wireType + " where bytes belong");
    }
    long length = rawVarint();
    if (length < 0 || length > end - at) {
      throw StoreException.malformed(
          "a length of " + length + " with " + (end - at) + " bytes left");
    }
    return (int) length;
  }

  private void advance(int bytes) {
    if (bytes > end - at) {
      throw StoreException.malformed("the message ends within a field");
    }
    at += bytes;
  }

  private long rawVarint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at == end) {
        throw StoreException.malformed("the message ends within a number");
      }
      byte part = array[at++];
      value |= (part & 0x7fL) << shift;
      if (part >= 0) {
        return value;
      }
    }
    throw StoreException.malformed("a number of more than ten bytes");
  }
}
