// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** Reads the matrix from this package's resource. */
final class MatrixReader {
  private static final String RESOURCE = "matrix.json";

  private MatrixReader() {}

  static VersionMatrix read() {
    try (InputStream file = VersionMatrix.class.getResourceAsStream(RESOURCE)) {
      if (file == null) {
        throw new IllegalStateException(RESOURCE + " is missing in the jar");
      }
      return read(JsonMapper.builder().build().readTree(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static VersionMatrix read(JsonNode root) {
    SortedMap<MinorVersion, String> versions = new TreeMap<>();
    root.get("versions")
        .properties()
        .forEach(
            entry -> versions.put(MinorVersion.parse(entry.getKey()), entry.getValue().asText()));
    Map<Component, Map<String, List<Run<Gate>>>> gates = new EnumMap<>(Component.class);
    Map<Component, Map<String, List<Run<Flag>>>> flags = new EnumMap<>(Component.class);
    for (Component component : Component.values()) {
      JsonNode described = root.get("components").get(binary(component));
      if (described != null) {
        gates.put(component, table(described.get("gates"), (name, node) -> gate(node)));
        flags.put(component, table(described.get("flags"), (name, node) -> flag(node)));
      }
    }
    return new VersionMatrix(
        versions,
        gates,
        flags,
        table(
            root.get("kubeletConfiguration"),
            (name, node) -> node.path("default").isNull() ? "" : node.path("default").toString()),
        table(root.get("priorityLevels"), MatrixReader::priorityLevel),
        table(root.get("flowSchemas"), MatrixReader::flowSchema));
  }

  private static String binary(Component component) {
    return component == Component.CLIENTS ? "client-go" : component.label();
  }

  private static <T> Map<String, List<Run<T>>> table(
      JsonNode node, BiFunction<String, JsonNode, T> value) {
    Map<String, List<Run<T>>> table = new LinkedHashMap<>();
    for (var entry : node.properties()) {
      List<Run<T>> runs = new ArrayList<>();
      for (JsonNode run : entry.getValue()) {
        runs.add(
            new Run<>(
                MinorVersion.parse(run.get("from").asText()),
                MinorVersion.parse(run.get("until").asText()),
                value.apply(entry.getKey(), run)));
      }
      table.put(entry.getKey(), List.copyOf(runs));
    }
    return table;
  }

  private static Gate gate(JsonNode node) {
    return new Gate(
        node.get("stage").asText(),
        node.get("default").asBoolean(),
        node.path("locked").asBoolean(false));
  }

  private static Flag flag(JsonNode node) {
    return new Flag(
        node.get("type").asText(),
        node.get("default").asText(),
        node.path("deprecated").asText(""));
  }

  private static PriorityLevel priorityLevel(String name, JsonNode node) {
    JsonNode borrowing = node.path("borrowingLimitPercent");
    return new PriorityLevel(
        name,
        node.get("type").asText().equals("Exempt"),
        node.path("shares").asInt(0),
        node.path("lendablePercent").asInt(0),
        borrowing.isMissingNode() ? OptionalInt.empty() : OptionalInt.of(borrowing.asInt()),
        node.path("queues").asInt(0),
        node.path("handSize").asInt(0),
        node.path("queueLengthLimit").asInt(0));
  }

  private static FlowSchema flowSchema(String name, JsonNode node) {
    return new FlowSchema(name, node.get("precedence").asInt(), node.get("level").asText());
  }
}
