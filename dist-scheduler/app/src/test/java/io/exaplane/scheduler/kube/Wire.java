// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** What an API server would send, in its own encoding. */
final class Wire {
  private Wire() {}

  /** A frame of a watch. */
  static byte[] event(String type, byte[] object) {
    byte[] event = joined(field(1, text(type)), field(2, field(1, object)));
    int length = event.length;
    return joined(
        new byte[] {
          (byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length
        },
        event);
  }

  static byte[] added(String name, int version) {
    return event("ADDED", pod(name, version));
  }

  static byte[] deleted(String name, int version) {
    return event("DELETED", pod(name, version));
  }

  /** All objects were sent. */
  static byte[] listEnd(int version) {
    byte[] end = joined(field(1, text("k8s.io/initial-events-end")), field(2, text("true")));
    byte[] meta = joined(field(6, text("" + version)), field(12, end));
    return event("BOOKMARK", object("Pod", field(1, meta)));
  }

  static byte[] bookmark(int version) {
    return event("BOOKMARK", object("Pod", field(1, field(6, text("" + version)))));
  }

  static byte[] pod(String name, int version) {
    return object("Pod", podItself(name, version));
  }

  /** A page of a list. */
  static byte[] page(int version, String next, String... names) {
    byte[] list = field(1, joined(field(2, text("" + version)), field(3, text(next))));
    for (String name : names) {
      list = joined(list, field(2, podItself(name, version)));
    }
    return object("PodList", list);
  }

  static byte[] listWithoutVersion() {
    return object("PodList", new byte[0]);
  }

  static byte[] status(int code, String message) {
    return object("Status", joined(field(3, text(message)), new byte[] {6 << 3}, varint(code)));
  }

  private static byte[] podItself(String name, int version) {
    return field(
        1, joined(field(1, text(name)), field(3, text("ns")), field(6, text("" + version))));
  }

  private static byte[] object(String kind, byte[] raw) {
    return joined(
        text("k8s\0"), field(1, joined(field(1, text("v1")), field(2, text(kind)))), field(2, raw));
  }

  private static byte[] field(int number, byte[] value) {
    return joined(new byte[] {(byte) (number << 3 | 2)}, varint(value.length), value);
  }

  private static byte[] varint(int value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int rest = value;
    for (; rest > 127; rest >>>= 7) {
      out.write(rest & 127 | 128);
    }
    out.write(rest);
    return out.toByteArray();
  }

  static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
