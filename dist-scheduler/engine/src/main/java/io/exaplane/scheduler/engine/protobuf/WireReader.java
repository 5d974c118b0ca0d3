// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.protobuf;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads messages of an {@link ApiSchema}; fields that it does not name are skipped. For one thread.
 * Source: protobuf.dev, "Encoding".
 */
final class WireReader {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED_32 = 5;
  private static final int TYPE_BITS = 3;
  private static final int TYPE_MASK = (1 << TYPE_BITS) - 1;
  private static final int LOW_BITS = 7;
  private static final int MOST_BITS = 64;
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private byte[] bytes;
  private int at;

  /**
   * Reads a message from the beginning of an array.
   *
   * @throws DamagedException if it is none
   */
  MessageMap read(MessageType type, byte[] from, int length) throws DamagedException {
    bytes = from;
    at = 0;
    return message(type, length);
  }

  private MessageMap message(MessageType type, int end) throws DamagedException {
    Object[] values = new Object[type.slotCount()];
    fields(type, values, 0, end);
    return new MessageMap(type, values);
  }

  private void fields(MessageType type, Object[] to, int first, int end) throws DamagedException {
    while (at < end) {
      int tag = tag(end);
      FieldType field = type.field(tag >>> TYPE_BITS);
      if (field == null) {
        skip(tag, end);
      } else {
        expect(tag, field);
        field(field, to, first + field.slot(), end);
      }
    }
  }

  private void expect(int tag, FieldType field) throws DamagedException {
    boolean number =
        field.shape() == FieldType.Shape.SINGLE
            && (field.value() == FieldType.Value.INTEGER || field.value() == FieldType.Value.BOOL);
    if ((tag & TYPE_MASK) != (number ? VARINT : BYTES)) {
      throw new DamagedException("field " + (tag >>> TYPE_BITS) + " has another type", at);
    }
  }

  private void field(FieldType field, Object[] to, int slot, int end) throws DamagedException {
    switch (field.shape()) {
      case SINGLE -> {
        Object value = value(field, end);
        to[slot] = field.keepsEmpty() || !isEmpty(value) ? value : null;
      }
      case LIST -> add(to, slot, value(field, end));
      case MAP -> entry(field, to, slot, end);
      default -> fields(field.message(), to, slot, end(end));
    }
  }

  /** A message is there, whatever is in it. */
  private static boolean isEmpty(Object value) {
    return "".equals(value) || Boolean.FALSE.equals(value) || Long.valueOf(0).equals(value);
  }

  @SuppressWarnings("unchecked")
  private static void add(Object[] to, int slot, Object value) {
    if (to[slot] == null) {
      to[slot] = new ArrayList<>(2);
    }
    ((List<Object>) to[slot]).add(value);
  }

  @SuppressWarnings("unchecked")
  private void entry(FieldType field, Object[] to, int slot, int outer) throws DamagedException {
    int end = end(outer);
    String key = "";
    Object value = null;
    while (at < end) {
      int tag = tag(end);
      switch (tag >>> TYPE_BITS) {
        case KEY -> key = string(end);
        case VALUE -> value = value(field, end);
        default -> skip(tag, end);
      }
    }
    if (to[slot] == null) {
      to[slot] = new LinkedHashMap<>();
    }
    ((Map<String, Object>) to[slot]).put(key, value);
  }

  private Object value(FieldType field, int end) throws DamagedException {
    return switch (field.value()) {
      case STRING -> string(end);
      case BOOL -> varint(end) != 0;
      case INTEGER -> varint(end);
      case QUANTITY -> quantity(end(end));
      case TIME -> time(end(end));
      case MESSAGE -> message(field.message(), end(end));
    };
  }

  private String quantity(int end) throws DamagedException {
    String text = "0";
    while (at < end) {
      int tag = tag(end);
      if (tag >>> TYPE_BITS == 1) {
        text = string(end);
      } else {
        skip(tag, end);
      }
    }
    return text;
  }

  /** Null of a message without fields, which stands for no time. */
  private Instant time(int end) throws DamagedException {
    if (at == end) {
      return null;
    }
    long seconds = 0;
    long nanos = 0;
    while (at < end) {
      int tag = tag(end);
      switch (tag) {
        case 1 << TYPE_BITS -> seconds = varint(end);
        case 2 << TYPE_BITS -> nanos = varint(end);
        default -> skip(tag, end);
      }
    }
    try {
      return Instant.ofEpochSecond(seconds, nanos);
    } catch (DateTimeException | ArithmeticException e) {
      throw new DamagedException("a time is " + seconds + " seconds after 1970", at);
    }
  }

  private String string(int outer) throws DamagedException {
    int end = end(outer);
    String text = new String(bytes, at, end - at, StandardCharsets.UTF_8);
    at = end;
    return text;
  }

  private int tag(int end) throws DamagedException {
    long tag = varint(end);
    if (tag < 1 << TYPE_BITS || tag > Integer.MAX_VALUE) {
      throw new DamagedException("a field has the number " + (tag >>> TYPE_BITS), at);
    }
    return (int) tag;
  }

  private long varint(int end) throws DamagedException {
    long value = 0;
    for (int shift = 0; shift < MOST_BITS; shift += LOW_BITS) {
      if (at >= end) {
        throw new DamagedException("a number does not end", at);
      }
      byte next = bytes[at++];
      value |= (long) (next & Byte.MAX_VALUE) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new DamagedException("a number is too long", at);
  }

  /** Where the value ends whose length is next. */
  private int end(int outer) throws DamagedException {
    long length = varint(outer);
    if (length < 0 || length > outer - at) {
      throw new DamagedException("a value of " + length + " bytes is longer than its message", at);
    }
    return at + (int) length;
  }

  private void skip(int tag, int end) throws DamagedException {
    switch (tag & TYPE_MASK) {
      case VARINT -> varint(end);
      case BYTES -> at = end(end);
      case FIXED_32 -> skipBytes(Integer.BYTES, end);
      case FIXED_64 -> skipBytes(Long.BYTES, end);
      default -> throw new DamagedException("a field has type " + (tag & TYPE_MASK), at);
    }
  }

  private void skipBytes(int count, int end) throws DamagedException {
    if (count > end - at) {
      throw new DamagedException("a number does not end", at);
    }
    at += count;
  }
}
