// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.exaplane.cli.etcd.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cuts a watch's bytes into events: each frame has its length before it, in four bytes
 * (apimachinery's framer of {@code application/vnd.kubernetes.protobuf;stream=watch}). Keeps only
 * the frame at hand. Used by one thread at a time.
 */
final class EventFrames {
  /** Longer than any event that etcd's limit of requests lets be. */
  private static final int LONGEST = 64 << 20;

  private static final int LENGTH = Integer.BYTES;
  private static final byte[] NONE = {};

  private byte[] held = NONE;
  private int size;

  /** Gets each event of a stream. */
  interface Events {
    /**
     * One event.
     *
     * @param type ADDED, MODIFIED, DELETED, BOOKMARK or ERROR
     * @param object in protobuf, without its envelope
     * @param bytes of the frame
     */
    void event(String type, byte[] object, int bytes);
  }

  /**
   * Takes more bytes, and hands on what is complete.
   *
   * @throws IllegalArgumentException if the bytes are no events
   */
  void add(byte[] bytes, Events events) {
    if (size > 0) {
      keep(bytes, 0);
      int used = cut(held, size, events);
      size -= used;
      System.arraycopy(held, used, held, 0, size);
      if (size == 0) {
        held = NONE;
      }
    } else {
      keep(bytes, cut(bytes, bytes.length, events));
    }
  }

  /** Forgets the bytes of a stream that ended. */
  void clear() {
    held = NONE;
    size = 0;
  }

  /** Puts what is behind a place to what is held; grows by doubling, for events of megabytes. */
  private void keep(byte[] bytes, int from) {
    int more = bytes.length - from;
    if (more > held.length - size) {
      held = Arrays.copyOf(held, Math.max(size + more, 2 * held.length));
    }
    System.arraycopy(bytes, from, held, size, more);
    size += more;
  }

  /** Hands on the complete frames, and returns how many bytes they had. */
  private static int cut(byte[] all, int end, Events events) {
    int at = 0;
    while (end - at >= LENGTH) {
      int length =
          all[at] << 24
              | (all[at + 1] & 0xff) << 16
              | (all[at + 2] & 0xff) << 8
              | all[at + 3] & 0xff;
      if (length < 0 || length > LONGEST) {
        throw new IllegalArgumentException("no frame of a watch: length " + length);
      }
      if (end - at - LENGTH < length) {
        break;
      }
      read(Arrays.copyOfRange(all, at + LENGTH, at + LENGTH + length), events);
      at += LENGTH + length;
    }
    return at;
  }

  private static void read(byte[] frame, Events events) {
    String type = "";
    byte[] object = NONE;
    Wire.Reader reader = new Wire.Reader(frame);
    while (reader.next()) {
      if (reader.field() == 1) {
        type = new String(reader.bytes(), StandardCharsets.US_ASCII);
      } else if (reader.field() == 2) {
        byte[] raw = Kube.unwrapped(Kube.field(reader.bytes(), 1));
        object = raw == null ? NONE : raw;
      }
    }
    events.event(type, object, LENGTH + frame.length);
  }
}
