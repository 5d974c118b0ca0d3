// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * etcd's messages, enumerations and paths, as {@code schema/generate} wrote them down. Read once,
 * then immutable.
 */
final class Schema {
  private static final String FILE = "etcd.schema";

  /**
   * A method as the gateway has it.
   *
   * @param name as {@code etcdserverpb.KV/Range}
   * @param isStream whether it has more than one answer
   */
  record Rpc(String name, String request, String response, boolean isStream) {}

  /**
   * A field of a message.
   *
   * @param type a scalar's, or the name of a message or an enumeration
   */
  record Field(int number, String name, String type, boolean repeated) {}

  /** Fields of a message by number and by name, be it {@code range_end} or {@code rangeEnd}. */
  record Message(Map<Integer, Field> byNumber, Map<String, Field> byName) {
    private void add(Field field) {
      byNumber.put(field.number(), field);
      byName.put(field.name(), field);
      byName.put(camelCase(field.name()), field);
    }
  }

  private final Map<String, Rpc> rpcs = new HashMap<>();
  private final Map<String, Message> messages = new HashMap<>();
  private final Map<String, Map<String, Integer>> enums = new HashMap<>();

  private Schema() {}

  static Schema load() {
    Schema schema = new Schema();
    try (InputStream file = Schema.class.getResourceAsStream(FILE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      Message message = null;
      Map<String, Integer> values = null;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ");
        switch (words[0]) {
          case "#" -> {}
          case "rpc" ->
              schema.rpcs.put(words[1], new Rpc(words[2], words[3], words[4], words.length > 5));
          case "message" -> {
            message = new Message(new LinkedHashMap<>(), new HashMap<>());
            schema.messages.put(words[1], message);
          }
          case "enum" -> {
            values = new LinkedHashMap<>();
            schema.enums.put(words[1], values);
          }
          default -> {
            int number = Integer.parseInt(words[0]);
            if (words.length == 2) {
              values.put(words[1], number);
            } else {
              message.add(new Field(number, words[1], words[2], words.length > 3));
            }
          }
        }
      }
      return schema;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String camelCase(String name) {
    StringBuilder camel = new StringBuilder();
    for (String part : name.split("_")) {
      camel.append(
          camel.isEmpty() ? part : Character.toUpperCase(part.charAt(0)) + part.substring(1));
    }
    return camel.toString();
  }

  /** The method of a path; null if there is none. */
  Rpc rpc(String path) {
    return rpcs.get(path);
  }

  /** The paths that there are. */
  Iterable<String> paths() {
    return rpcs.keySet();
  }

  /** A message; null if the type is none. */
  Message message(String type) {
    return messages.get(type);
  }

  /** Values of an enumeration by name; null if the type is none. */
  Map<String, Integer> enumeration(String type) {
    return enums.get(type);
  }
}
