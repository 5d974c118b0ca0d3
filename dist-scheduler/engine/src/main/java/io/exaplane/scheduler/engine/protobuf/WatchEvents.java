// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.protobuf;

import io.exaplane.scheduler.engine.model.InvalidObjectException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * The events of a watch as an API server sends them to who accepts {@code
 * application/vnd.kubernetes.protobuf;stream=watch}: each a metav1.WatchEvent behind its length in
 * four bytes. For one thread. Source: apimachinery, pkg/util/framer and pkg/runtime/serializer.
 */
public final class WatchEvents {
  private static final int TYPE = 1 << 3 | 2;
  private static final int OBJECT = 2 << 3 | 2;
  private static final int RAW = 1 << 3 | 2;

  /**
   * What happened.
   *
   * @param type ADDED, MODIFIED, DELETED, BOOKMARK or ERROR
   * @param object as {@link ProtobufObjects} passes it on; of an error, a Status
   */
  public record Event(String type, Map<String, Object> object) {}

  private final DataInputStream in;
  private final ProtobufObjects objects = new ProtobufObjects(object -> last = object);
  private byte[] frame = new byte[1 << 14];
  private Map<String, Object> last;

  public WatchEvents(InputStream in) {
    this.in = new DataInputStream(in);
  }

  /**
   * Waits for the next event.
   *
   * @return null where the server ended the watch
   * @throws DamagedException if it is no event, or ends within one
   * @throws InvalidObjectException if its object is of a version that is not read
   */
  public Event next() throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    try {
      int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
      if (length < 0 || length > ProtobufObjects.MOST_BYTES) {
        throw new DamagedException("an event has %d bytes".formatted(length), 0);
      }
      if (length > frame.length) {
        frame = new byte[Math.max(length, 2 * frame.length)];
      }
      in.readFully(frame, 0, length);
      return event(new StreamedMessage(new ByteArrayInputStream(frame, 0, length)), length);
    } catch (EOFException e) {
      throw new DamagedException("the watch ends within an event", 0);
    }
  }

  private Event event(StreamedMessage message, int length) throws IOException {
    String type = "";
    last = null;
    while (message.position() < length) {
      int tag = message.next();
      long size = message.length(tag, length);
      if (tag == TYPE) {
        type = message.string((int) size);
      } else if (tag == OBJECT) {
        object(message, message.position() + size);
      } else {
        message.skip(size);
      }
    }
    if (last == null) {
      throw new DamagedException("event \"" + type + "\" has no object", 0);
    }
    return new Event(type, last);
  }

  /** Reads a runtime.RawExtension. */
  private void object(StreamedMessage message, long end) throws IOException {
    while (message.position() < end) {
      int tag = message.next();
      long size = message.length(tag, end);
      if (tag == RAW) {
        objects.read(new ByteArrayInputStream(frame, (int) message.position(), (int) size));
      }
      message.skip(size);
    }
  }
}
