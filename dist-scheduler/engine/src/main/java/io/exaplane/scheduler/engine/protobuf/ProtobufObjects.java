// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.protobuf;

import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.model.ObjectReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Objects and lists as an API server sends them to who accepts {@code
 * application/vnd.kubernetes.protobuf}, one after another. They are read as a JSON parser would
 * leave them, as far as anything decides by them: maps, lists, strings, {@link Long}, {@link
 * Boolean}, and {@link java.time.Instant} for times. What decides nothing is skipped, whole kinds
 * included: of these only {@code apiVersion} and {@code kind} are told. For one thread. Source:
 * apimachinery, pkg/runtime/serializer/protobuf and runtime.Unknown.
 */
public final class ProtobufObjects {
  private static final byte[] MAGIC = {'k', '8', 's', 0};
  private static final String LIST = "List";

  /** Far above what an API server stores. */
  static final int MOST_BYTES = 64 << 20;

  private static final int TYPE_META = 1 << 3 | 2;
  private static final int RAW = 2 << 3 | 2;
  private static final int METADATA = 1 << 3 | 2;
  private static final int ITEMS = 2 << 3 | 2;
  private static final int API_VERSION = 1 << 3 | 2;
  private static final int KIND = 2 << 3 | 2;

  private final Consumer<Map<String, Object>> objects;
  private final WireReader reader = new WireReader();
  private byte[] buffer = new byte[1 << 14];
  private String apiVersion;
  private String kind;
  private Map<String, Object> listMeta = Map.of();
  private String listKind = "";

  /** Passes objects on, the items of lists by themselves. */
  public ProtobufObjects(Consumer<Map<String, Object>> objects) {
    this.objects = objects;
  }

  /** {@code resourceVersion} and {@code continue} of the list that was read last. */
  public Map<String, Object> listMeta() {
    return listMeta;
  }

  /** The kind of the items of the list that was read last; empty if there was none. */
  public String listKind() {
    return listKind;
  }

  /** Whether bytes are the beginning of an object in the binary encoding. */
  public static boolean isBeginning(byte[] bytes) {
    return bytes.length >= MAGIC.length
        && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /**
   * Reads to the end, one object after another; the input may be larger than the memory.
   *
   * @throws DamagedException if an object is damaged, or the input ends within one
   * @throws InvalidObjectException if it is of a version of its kind that is not read
   */
  public void read(InputStream in) throws IOException {
    StreamedMessage stream = new StreamedMessage(in);
    try {
      int first = stream.next();
      while (first >= 0) {
        if (first != MAGIC[0] || !isMagic(stream)) {
          throw new DamagedException("something else than an object begins", stream.position());
        }
        first = envelope(stream);
      }
    } catch (EOFException e) {
      throw new DamagedException("the data is incomplete", stream.position());
    }
  }

  private static boolean isMagic(StreamedMessage stream) throws IOException {
    for (int i = 1; i < MAGIC.length; i++) {
      if (stream.next() != MAGIC[i]) {
        return false;
      }
    }
    return true;
  }

  /** Reads a runtime.Unknown, and returns the first byte after it. */
  private int envelope(StreamedMessage stream) throws IOException {
    apiVersion = "";
    kind = "";
    boolean whole = false;
    int tag = stream.next();
    while (tag >= 0 && tag != MAGIC[0]) {
      long length = stream.length(tag);
      if (tag == TYPE_META) {
        typeMeta(stream, length);
      } else if (tag == RAW) {
        raw(stream, length);
        whole = true;
      } else {
        stream.skip(length);
      }
      tag = stream.next();
    }
    if (!whole) {
      throw new DamagedException("an object has no content", stream.position());
    }
    return tag;
  }

  private void typeMeta(StreamedMessage stream, long length) throws IOException {
    long end = stream.position() + length;
    while (stream.position() < end) {
      int tag = stream.next();
      int size = take(stream, stream.length(tag, end));
      String value = new String(buffer, 0, size, StandardCharsets.UTF_8);
      if (tag == API_VERSION) {
        apiVersion = value;
      } else if (tag == KIND) {
        kind = value;
      }
    }
  }

  private void raw(StreamedMessage stream, long length) throws IOException {
    if (!kind.endsWith(LIST)) {
      object(stream, length, type());
      return;
    }
    kind = kind.substring(0, kind.length() - LIST.length());
    listKind = kind;
    MessageType type = type();
    long end = stream.position() + length;
    while (stream.position() < end) {
      int tag = stream.next();
      long size = stream.length(tag, end);
      if (tag == ITEMS) {
        object(stream, size, type);
      } else if (tag == METADATA) {
        listMeta = reader.read(ApiSchema.INSTANCE.listMeta(), buffer, take(stream, size));
      } else {
        stream.skip(size);
      }
    }
  }

  /** The message of the kind, or null if it is passed over. */
  private MessageType type() {
    Set<String> read = ApiSchema.INSTANCE.versionsOf(kind);
    String group = ObjectReader.group(apiVersion);
    if (read.stream().noneMatch(version -> ObjectReader.group(version).equals(group))) {
      return null;
    }
    if (!read.contains(apiVersion)) {
      throw new InvalidObjectException(
          kind + ": apiVersion",
          apiVersion,
          "in the binary encoding it has to be " + String.join(" or ", read),
          "ask the API server for that version");
    }
    return ApiSchema.INSTANCE.kind(kind, apiVersion);
  }

  private void object(StreamedMessage stream, long length, MessageType type) throws IOException {
    if (type == null) {
      stream.skip(length);
      objects.accept(Map.of(MessageType.API_VERSION, apiVersion, MessageType.KIND, kind));
      return;
    }
    long start = stream.position();
    int size = take(stream, length);
    try {
      MessageMap object = reader.read(type, buffer, size);
      object.put(MessageType.API_VERSION, apiVersion);
      object.put(MessageType.KIND, kind);
      objects.accept(object);
    } catch (DamagedException e) {
      throw new DamagedException(kind + ": " + e.getMessage() + " of the object", start);
    }
  }

  private int take(StreamedMessage stream, long length) throws IOException {
    if (length > MOST_BYTES) {
      throw new DamagedException("an object has " + length + " bytes", stream.position());
    }
    if (length > buffer.length) {
      buffer = new byte[(int) Math.max(length, 2L * buffer.length)];
    }
    stream.read(buffer, (int) length);
    return (int) length;
  }
}
