// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The messages that are read, from {@code schema.txt}. Immutable. */
final class ApiSchema {
  static final ApiSchema INSTANCE = read();

  /** By kind and API version, the name of its message. */
  private final Map<String, Map<String, String>> kinds = new HashMap<>();

  private final Map<String, List<String>> lines = new LinkedHashMap<>();
  private final Map<String, MessageType> messages = new HashMap<>();

  private ApiSchema(String text) {
    text.lines().filter(line -> !line.isEmpty() && !line.startsWith("#")).forEach(this::addLine);
    lines.keySet().forEach(this::message);
    kinds.values().forEach(versions -> versions.values().forEach(this::makeKind));
  }

  private static ApiSchema read() {
    try (InputStream in = ApiSchema.class.getResourceAsStream("schema.txt")) {
      return new ApiSchema(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The versions of a kind that are read; none if the kind is passed over. */
  Set<String> versionsOf(String kind) {
    return kinds.getOrDefault(kind, Map.of()).keySet();
  }

  /** The message of a kind in a version that is read. */
  MessageType kind(String kind, String version) {
    return messages.get(kinds.get(kind).get(version));
  }

  /** The message that lists begin with. */
  MessageType listMeta() {
    return messages.get("ListMeta");
  }

  private void addLine(String line) {
    List<String> words = List.of(line.split(" "));
    if (words.getFirst().equals("kind")) {
      String message = words.get(2);
      String kind = message.replaceFirst("@.*", "");
      kinds.computeIfAbsent(kind, k -> new LinkedHashMap<>()).put(words.get(1), message);
    } else {
      lines.put(words.getFirst(), words.subList(1, words.size()));
    }
  }

  private void makeKind(String kind) {
    messages.get(kind).addSlot(MessageType.API_VERSION);
    messages.get(kind).addSlot(MessageType.KIND);
  }

  private MessageType message(String name) {
    MessageType known = messages.get(name);
    if (known != null) {
      return known;
    }
    MessageType message = new MessageType();
    messages.put(name, message);
    for (String field : lines.get(name)) {
      String[] parts = field.split(":", 3);
      addField(message, parts[0], Integer.parseInt(parts[1]), parts[2]);
    }
    return message;
  }

  private void addField(MessageType to, String name, int number, String type) {
    if (type.startsWith("=")) {
      MessageType inner = message(type.substring(1));
      int first = to.slotCount();
      for (int slot = 0; slot < inner.slotCount(); slot++) {
        to.addSlot(inner.name(slot));
      }
      to.add(
          number,
          new FieldType(first, FieldType.Shape.INLINE, FieldType.Value.MESSAGE, inner, false));
      return;
    }
    FieldType.Shape shape =
        type.startsWith("[]")
            ? FieldType.Shape.LIST
            : type.startsWith("map:") ? FieldType.Shape.MAP : FieldType.Shape.SINGLE;
    String element = type.replaceFirst("^(\\[]|map:)", "");
    boolean keepsEmpty = element.endsWith("?") || shape != FieldType.Shape.SINGLE;
    FieldType.Value value = value(element.replace("?", ""));
    MessageType message = value == FieldType.Value.MESSAGE ? message(element) : null;
    to.add(number, new FieldType(to.addSlot(name), shape, value, message, keepsEmpty));
  }

  private static FieldType.Value value(String type) {
    return switch (type) {
      case "string" -> FieldType.Value.STRING;
      case "bool" -> FieldType.Value.BOOL;
      case "integer" -> FieldType.Value.INTEGER;
      case "quantity" -> FieldType.Value.QUANTITY;
      case "time" -> FieldType.Value.TIME;
      default -> FieldType.Value.MESSAGE;
    };
  }
}
