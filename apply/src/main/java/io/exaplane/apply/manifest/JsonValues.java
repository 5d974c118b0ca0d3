// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;

/** JSON values one behind the other, each with its line; no key may stand twice. One thread. */
final class JsonValues implements AutoCloseable {
  /** Up to here a number that is whole is the same with and without a fraction. */
  private static final double MOST_WHOLE = 1e15;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(Document.MOST_LEVELS).build())
          .build();

  private final JsonNodeFactory nodes = JsonNodeFactory.instance;
  private final JsonParser in;
  private Document document;
  private int level;

  JsonValues(String text) throws IOException {
    in = FACTORY.createParser(text);
  }

  /** The next value; nothing after the last one. */
  Optional<Document> next() throws Unreadable {
    try {
      if (in.nextToken() == null) {
        return Optional.empty();
      }
      document = new Document();
      int line = line();
      document.set(value(), line);
      return Optional.of(document);
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      String words = e.getOriginalMessage().replaceAll("\\s*\\R\\s*", " ");
      throw new Unreadable(line, "is not valid JSON: " + words + "; correct the line");
    } catch (IOException e) {
      throw new Unreadable(0, "cannot be read: " + e.getMessage() + "; try again");
    }
  }

  private int line() {
    return in.currentTokenLocation().getLineNr();
  }

  private JsonNode value() throws IOException, Unreadable {
    return switch (in.currentToken()) {
      case START_OBJECT -> map();
      case START_ARRAY -> list();
      case VALUE_STRING -> nodes.textNode(in.getText());
      case VALUE_TRUE -> nodes.booleanNode(true);
      case VALUE_FALSE -> nodes.booleanNode(false);
      case VALUE_NULL -> nodes.nullNode();
      case VALUE_NUMBER_INT ->
          in.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? nodes.numberNode(in.getBigIntegerValue())
              : nodes.numberNode(in.getLongValue());
      case VALUE_NUMBER_FLOAT -> number(in.getDoubleValue());
      default -> throw new Unreadable(line(), "is not valid JSON; correct the line");
    };
  }

  private JsonNode number(double value) throws Unreadable {
    if (Double.isInfinite(value)) {
      throw new Unreadable(line(), "has a number that is too large; write a smaller one");
    }
    return value == Math.rint(value) && Math.abs(value) < MOST_WHOLE
        ? nodes.numberNode((long) value)
        : nodes.numberNode(value);
  }

  private JsonNode map() throws IOException, Unreadable {
    ObjectNode map = nodes.objectNode();
    document.begin(map, ++level, line());
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      map.set(name, value());
    }
    level--;
    return map;
  }

  private JsonNode list() throws IOException, Unreadable {
    ArrayNode list = nodes.arrayNode();
    level++;
    while (in.nextToken() != JsonToken.END_ARRAY) {
      list.add(value());
    }
    level--;
    return list;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
