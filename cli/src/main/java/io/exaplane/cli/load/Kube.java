// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.exaplane.cli.etcd.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Kubernetes' protobuf, as much of it as loads read and write: the envelope {@code
 * runtime.Unknown}, {@code ObjectMeta}, {@code ListMeta} and {@code WatchEvent}. Field numbers are
 * those of apimachinery's generated.proto. Pure.
 */
final class Kube {
  private static final byte[] MAGIC = {'k', '8', 's', 0};
  private static final int TYPE = 1;
  private static final int RAW = 2;
  private static final int METADATA = 1;
  private static final int ITEMS = 2;
  private static final int NAME = 1;
  private static final int NAMESPACE = 3;
  private static final int UID = 5;
  private static final int VERSION = 6;
  private static final int LABELS = 11;
  private static final int ANNOTATIONS = 12;
  private static final int LIST_VERSION = 2;
  private static final int LIST_CONTINUE = 3;

  private Kube() {}

  /**
   * What an object says of itself.
   *
   * @param version its resourceVersion
   */
  record Meta(String namespace, String name, String uid, String version) {}

  /**
   * What a list says of itself.
   *
   * @param next token of the next page; empty behind the last
   */
  record ListMeta(String version, String next, int items) {}

  /** An object as a request's body. */
  static byte[] wrapped(String apiVersion, String kind, byte[] raw) {
    byte[] type = new Wire.Writer().bytes(1, utf8(apiVersion)).bytes(2, utf8(kind)).end();
    byte[] envelope = new Wire.Writer().bytes(TYPE, type).bytes(RAW, raw).end();
    byte[] all = Arrays.copyOf(MAGIC, MAGIC.length + envelope.length);
    System.arraycopy(envelope, 0, all, MAGIC.length, envelope.length);
    return all;
  }

  /**
   * The object in a body; null if the body is not Kubernetes' protobuf.
   *
   * @throws IllegalArgumentException if the envelope is damaged
   */
  static byte[] unwrapped(byte[] body) {
    if (body.length < MAGIC.length
        || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      return null;
    }
    return field(Arrays.copyOfRange(body, MAGIC.length, body.length), RAW);
  }

  /** The first value of a field that is bytes; empty if there is none. */
  static byte[] field(byte[] message, int field) {
    Wire.Reader reader = new Wire.Reader(message);
    while (reader.next()) {
      if (reader.field() == field) {
        return reader.bytes();
      }
    }
    return new byte[0];
  }

  /** The last value of a field that is a number; 0 if there is none. */
  static long number(byte[] message, int field) {
    long number = 0;
    Wire.Reader reader = new Wire.Reader(message);
    while (reader.next()) {
      if (reader.field() == field) {
        number = reader.number();
      }
    }
    return number;
  }

  static String text(byte[] message, int field) {
    return new String(field(message, field), StandardCharsets.UTF_8);
  }

  /** The metadata's bytes of an object, as the server wrote them. */
  static byte[] metadata(byte[] object) {
    return field(object, METADATA);
  }

  static Meta meta(byte[] object) {
    String namespace = "";
    String name = "";
    String uid = "";
    String version = "";
    Wire.Reader reader = new Wire.Reader(metadata(object));
    while (reader.next()) {
      switch (reader.field()) {
        case NAME -> name = read(reader);
        case NAMESPACE -> namespace = read(reader);
        case UID -> uid = read(reader);
        case VERSION -> version = read(reader);
        default -> {
          // Loads do not need it.
        }
      }
    }
    return new Meta(namespace, name, uid, version);
  }

  /** The value of an annotation; empty without it. */
  static String annotation(byte[] object, String key) {
    return entry(object, ANNOTATIONS, key);
  }

  /** The value of a label; empty without it. */
  static String label(byte[] object, String key) {
    return entry(object, LABELS, key);
  }

  private static String entry(byte[] object, int map, String key) {
    Wire.Reader reader = new Wire.Reader(metadata(object));
    while (reader.next()) {
      if (reader.field() == map) {
        byte[] entry = reader.bytes();
        if (text(entry, 1).equals(key)) {
          return text(entry, 2);
        }
      }
    }
    return "";
  }

  static ListMeta listMeta(byte[] list) {
    byte[] meta = metadata(list);
    int items = 0;
    Wire.Reader reader = new Wire.Reader(list);
    while (reader.next()) {
      items += reader.field() == ITEMS ? 1 : 0;
    }
    return new ListMeta(text(meta, LIST_VERSION), text(meta, LIST_CONTINUE), items);
  }

  private static String read(Wire.Reader reader) {
    return new String(reader.bytes(), StandardCharsets.UTF_8);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
