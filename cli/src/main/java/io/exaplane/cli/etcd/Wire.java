// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Protobuf's encoding, as much of it as messages of etcd and Kubernetes need. */
public final class Wire {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private Wire() {}

  /** Makes a message; fields that are zero or empty are left out, as protobuf does. One thread. */
  public static final class Writer {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public Writer number(int field, long value) {
      if (value != 0) {
        varint(field << 3 | VARINT);
        varint(value);
      }
      return this;
    }

    Writer flag(int field, boolean value) {
      return number(field, value ? 1 : 0);
    }

    public Writer bytes(int field, byte[] value) {
      if (value.length > 0) {
        varint(field << 3 | BYTES);
        varint(value.length);
        out.writeBytes(value);
      }
      return this;
    }

    private void varint(long value) {
      long rest = value;
      while ((rest & ~0x7fL) != 0) {
        out.write((int) (rest & 0x7f | 0x80));
        rest >>>= 7;
      }
      out.write((int) rest);
    }

    public byte[] end() {
      return out.toByteArray();
    }
  }

  /** Reads a message field by field; those that nobody asks for are skipped. One thread. */
  public static final class Reader {
    private final byte[] message;
    private int at;
    private final int end;
    private int field;
    private int type;
    private long number;
    private int from;
    private int length;

    public Reader(byte[] message) {
      this(message, 0, message.length);
    }

    private Reader(byte[] message, int from, int end) {
      this.message = message;
      this.at = from;
      this.end = end;
    }

    /**
     * Goes on to the next field; false at the end.
     *
     * @throws IllegalArgumentException if it is no message
     */
    public boolean next() {
      if (at >= end) {
        return false;
      }
      long tag = varint();
      field = (int) (tag >>> 3);
      type = (int) (tag & 7);
      switch (type) {
        case VARINT -> number = varint();
        case FIXED64 -> skip(Long.BYTES);
        case FIXED32 -> skip(Integer.BYTES);
        case BYTES -> {
          long size = varint();
          from = at;
          skip(size);
          length = (int) size;
        }
        default -> throw new IllegalArgumentException("no protobuf: type " + type);
      }
      return true;
    }

    private void skip(long size) {
      if (size < 0 || size > end - at) {
        throw new IllegalArgumentException("no protobuf: the message is incomplete");
      }
      at += (int) size;
    }

    private long varint() {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE && at < end; shift += 7) {
        byte b = message[at++];
        value |= (b & 0x7fL) << shift;
        if (b >= 0) {
          return value;
        }
      }
      throw new IllegalArgumentException("no protobuf: the message is incomplete");
    }

    public int field() {
      return field;
    }

    /** Of the field at hand; 0 if that is none. */
    public long number() {
      return type == VARINT ? number : 0;
    }

    /** Of the field at hand; empty if those are none. */
    public byte[] bytes() {
      return type == BYTES ? Arrays.copyOfRange(message, from, from + length) : new byte[0];
    }

    /** The message in the field at hand. */
    public Reader message() {
      return type == BYTES
          ? new Reader(message, from, from + length)
          : new Reader(message, end, end);
    }
  }
}
