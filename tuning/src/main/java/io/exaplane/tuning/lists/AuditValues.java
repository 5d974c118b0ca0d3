// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds audit events in values of JSON and in text, however they are wrapped: lists, fields of
 * other objects, JSON in strings, prefixes, parts of a line that a container runtime split. A
 * wrapper need not be known: an event is recognised by its own fields. One thread.
 */
final class AuditValues {
  private static final int DEEPEST = 5;

  /** How gzip, an object and a list of objects begin in base64. */
  private static final String GZIP = "H4sI";

  private static final String OBJECT = "eyJ";
  private static final String LIST = "W3si";
  private static final int LONGEST_JOINED = 1 << 26;
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final JsonFactory JSON = new JsonFactory();
  private final Consumer<AuditFields> consumer;
  private final List<AuditFields> found = new ArrayList<>();
  private final Map<String, StringBuilder> parts = new HashMap<>();
  private String last = "";
  private AuditFields current = new AuditFields();
  private int dropped;
  private final AuditText text = new AuditText(this);
  private final AuditNames names = new AuditNames();

  AuditValues(Consumer<AuditFields> consumer) {
    this.consumer = consumer;
  }

  static JsonFactory json() {
    return JSON;
  }

  /** Whether the last object that was begun is an event. */
  boolean inEvent() {
    return current.begunAsEvent();
  }

  /** Whether something was found and not passed on. */
  boolean any() {
    return !found.isEmpty();
  }

  /** Forgets what was found and not passed on. */
  void forget() {
    found.clear();
  }

  /** Passes on what was found. */
  void pass() {
    found.forEach(consumer);
    found.clear();
  }

  /**
   * Reads the value at which a parser is; its events wait for {@link #pass}.
   *
   * @param eager passes on each event at once, for documents without end
   * @return whether there was one
   */
  boolean value(JsonParser parser, boolean eager) throws IOException {
    last = "";
    return value(parser, eager, "", 0);
  }

  private boolean value(JsonParser parser, boolean eager, String name, int depth)
      throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return object(parser, eager, depth);
    }
    if (token == JsonToken.START_ARRAY) {
      boolean any = false;
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
          any |= bytes(parser, name, depth);
          break;
        }
        any |= value(parser, eager, name, depth);
        last = "";
      }
      return any;
    }
    return token == JsonToken.VALUE_STRING && text(parser.getText(), name, depth + 1);
  }

  /** A text as journald and Node.js write it that is not all printable: a number for each byte. */
  private boolean bytes(JsonParser parser, String name, int depth) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (parser.currentToken() == JsonToken.VALUE_NUMBER_INT && bytes.size() < LONGEST_JOINED) {
      bytes.write(parser.getIntValue());
      parser.nextToken();
    }
    while (parser.currentToken() != JsonToken.END_ARRAY) {
      parser.skipChildren();
      parser.nextToken();
    }
    return text(bytes.toString(StandardCharsets.UTF_8), name, depth + 1);
  }

  private boolean otlp(JsonParser parser, int depth) throws IOException {
    JsonNode object = OtlpValues.object(MAPPER.readTree(parser));
    try (JsonParser plain = object.traverse()) {
      plain.nextToken();
      return object(plain, false, depth + 1);
    }
  }

  private boolean object(JsonParser parser, boolean eager, int depth) throws IOException {
    AuditFields outer = current;
    AuditFields fields = new AuditFields().within(outer);
    current = fields;
    boolean any = false;
    List<String> columns = List.of();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      String plain = names.plain(name);
      if (token == JsonToken.VALUE_STRING && AuditFields.isStructure(plain)) {
        structure(fields, plain, parser);
        continue;
      }
      if (fields.take(plain, parser)) {
        continue;
      }
      if (token == JsonToken.START_OBJECT && OtlpValues.isList(name)) {
        any |= otlp(parser, depth);
        continue;
      }
      if (token == JsonToken.START_ARRAY && AuditRows.areColumns(name)) {
        columns = AuditRows.columns(MAPPER.readTree(parser));
      } else if (token == JsonToken.START_ARRAY && !columns.isEmpty() && AuditRows.are(name)) {
        any |= rows(parser, columns, eager, depth);
      } else if (fields.begunAsEvent()) {
        parser.skipChildren();
      } else {
        any |= value(parser, eager, name, depth);
        if (eager) {
          pass();
        }
      }
    }
    current = outer;
    if (fields.isEvent()) {
      add(fields);
      if (eager) {
        pass();
      }
      return true;
    }
    return any;
  }

  /** A wrapper that parses what it wraps holds an event twice. */
  void add(AuditFields fields) {
    String identity = fields.identity();
    if (identity.isEmpty() || !identity.equals(last)) {
      found.add(fields);
    }
    last = identity;
  }

  /** Rows of a table have the names of its columns. */
  private boolean rows(JsonParser parser, List<String> columns, boolean eager, int depth)
      throws IOException {
    boolean any = false;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.START_ARRAY) {
        any |= value(parser, eager, "", depth);
        continue;
      }
      JsonNode named = AuditRows.named(MAPPER.readTree(parser), columns);
      try (JsonParser row = named.traverse()) {
        row.nextToken();
        any |= object(row, eager, depth);
      }
      last = "";
      if (eager) {
        pass();
      }
    }
    return any;
  }

  /** Exports of tables have objects as text; some pipelines keep one field of them. */
  private static void structure(AuditFields fields, String name, JsonParser from)
      throws IOException {
    String content = from.getText();
    if (!content.startsWith("{") && !content.startsWith("[")) {
      fields.take(name, from);
      return;
    }
    try (JsonParser parser = JSON.createParser(content)) {
      parser.nextToken();
      fields.take(name, parser);
    }
  }

  /** Reads a text that stands under a name, if it may hold an event or the rest of one. */
  boolean text(String content, String name, int depth) throws IOException {
    last = depth == 0 ? "" : last;
    StringBuilder begun = parts.remove(name);
    if (depth > DEEPEST) {
      return false;
    }
    if (begun != null
        && !AuditText.begins(content)
        && text.read(begun.append(content).toString(), name, depth)) {
      return true;
    }
    dropped += begun == null ? 0 : 1;
    return packed(content, name, depth) || text.read(content, name, depth);
  }

  /** Queues carry lines in base64, often with gzip below. */
  private boolean packed(String content, String name, int depth) throws IOException {
    boolean begins =
        content.startsWith(GZIP) || content.startsWith(OBJECT) || content.startsWith(LIST);
    if (!begins || depth == 0) {
      return false;
    }
    try {
      InputStream in =
          Unpacked.of(new ByteArrayInputStream(Base64.getMimeDecoder().decode(content)));
      String plain = new String(in.readNBytes(LONGEST_JOINED), StandardCharsets.UTF_8);
      return Boolean.TRUE.equals(json(plain, 0, name, depth + 1));
    } catch (IllegalArgumentException | IOException e) {
      return false; // a word that begins so
    }
  }

  /** Keeps text that breaks off in JSON until its rest comes under the same name. */
  boolean keep(String content, String name) {
    if (name.isEmpty() || content.length() > LONGEST_JOINED || content.endsWith("\n")) {
      return false;
    }
    parts.put(name, new StringBuilder(content));
    return true;
  }

  /** How many texts broke off and never went on. */
  int unfinished() {
    return dropped + parts.size() + text.unfinished();
  }

  /**
   * Reads JSON in a text.
   *
   * @return whether there was an event; null if the text breaks off
   */
  Boolean json(String content, int from, String name, int depth) throws IOException {
    int before = found.size();
    try (JsonParser parser = JSON.createParser(content.substring(from))) {
      parser.nextToken();
      return value(parser, false, name, depth);
    } catch (JsonProcessingException e) {
      found.subList(before, found.size()).clear();
      return breaksOff(e, content.length() - (long) from) ? null : Boolean.FALSE;
    }
  }

  /** Also in the middle of a word or a number. */
  static boolean breaksOff(JsonProcessingException e, long length) {
    return e instanceof JsonEOFException
        || e.getLocation() != null
            && Math.max(e.getLocation().getCharOffset(), e.getLocation().getByteOffset())
                >= length - 1;
  }
}
