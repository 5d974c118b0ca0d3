// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How portals, databases and pipelines export events: with other names, as tables, for people. */
enum AuditExport {
  POINTS(e -> objects(e, s -> renamed(s, ".", k -> k))),
  UNDERSCORES(e -> objects(e, s -> renamed(s, "_", k -> k))),
  SLASHES(e -> objects(e, s -> renamed(s, "/", k -> k))),
  LOWER_CASE(e -> objects(e, s -> renamed(s, "_", String::toLowerCase))),
  BRACES(e -> objects(e, s -> renamed(s, ".", k -> k.replace(".0", "{}")))),
  OF_INTEGRATION(e -> objects(e, s -> renamed(s, ".", k -> "kubernetes.audit." + k))),
  OF_SEARCH(AuditExport::search),
  STRUCTURES_AS_TEXT(e -> objects(e, AuditExport::texts)),
  USERNAME_ALONE(
      e ->
          objects(
              e,
              s -> {
                ObjectNode plain = (ObjectNode) AuditForm.tree(s);
                plain.put("user", plain.at("/user/username").asText());
                plain.put("sourceIPs", plain.at("/sourceIPs/0").asText());
                return plain.put("responseStatus", plain.at("/responseStatus/code").asInt());
              })),
  COMMAS(e -> table(e, ",", s -> renamed(s, ".", k -> k))),
  SEMICOLONS(e -> table(e, ";", s -> renamed(s, "_", k -> k))),
  TABS(e -> table(e, "\t", AuditExport::texts)),
  BARS(e -> table(e, "|", AuditExport::texts)),
  NEW_LINES_IN_FIELDS(
      e -> table(e, ",", s -> texts(s).put("annotations", "{\n \"a\": \"b\",\n \"c\": 1}"))),
  PORTAL(e -> "\uFEFF" + table(e, ",", AuditExport::portal)),
  LOG_ANALYTICS(e -> rows(e, "columns", "rows", true)),
  CLICKHOUSE(e -> rows(e, "meta", "data", true)),
  TRINO(e -> rows(e, "columns", "data", false)),
  FLUENT_BIT(
      e -> AuditForm.lines(e, s -> "[0] a: [[1795341600.25, {}], {\"log\"=>\"" + s + "\"}]")),
  FLUENT_BIT_PARSED(
      e -> AuditForm.lines(e, s -> "[0] a: [[1795341600.25, {}], " + arrows(s) + "]")),
  PRETTY_BEHIND_A_PREFIX(
      e ->
          AuditForm.lines(
              e, s -> "2026-11-22T10:00:00 audit-0 " + AuditForm.tree(s).toPrettyString())),
  PRETTY_BELOW_A_PREFIX(
      e -> AuditForm.lines(e, s -> "2026 audit-0\n" + AuditForm.tree(s).toPrettyString())),
  STAGE_OF_THE_ENVIRONMENT(
      e ->
          AuditForm.lines(
              e,
              s -> "{\"stage\":\"prod\",\"message\":" + AuditForm.quoted(s) + ",\"user\":\"x\"}")),
  SECONDS(e -> timed(e, t -> t.equals("2026-11-22T10:00:00Z") ? "1795341600" : t)),
  OFFSET(e -> timed(e, t -> t.replace("T10", "T11").replace("Z", "+0100"))),
  HOURS(e -> timed(e, t -> t.replace("T10", "T11").replace("Z", "+01"))),
  NO_ZONE(e -> timed(e, t -> t.replace("Z", ""))),
  BLANKS(e -> timed(e, t -> t.replace("T", " ").replace("Z", " UTC"))),
  DECIMAL_COMMA(e -> timed(e, t -> t.replace("Z", ",000Z")));

  private final Function<List<String>, String> writer;

  AuditExport(Function<List<String>, String> writer) {
    this.writer = writer;
  }

  /** The events as a file of this form. */
  String file(List<String> events) {
    return writer.apply(events);
  }

  private static String objects(List<String> events, Function<String, ObjectNode> form) {
    return AuditForm.lines(events, s -> form.apply(s).toString());
  }

  /** Without objects in objects and without lists. */
  private static ObjectNode renamed(String event, String joint, Function<String, String> name) {
    Map<String, JsonNode> flat = new LinkedHashMap<>();
    flatten("", AuditForm.tree(event), joint, flat);
    ObjectNode renamed = JsonNodeFactory.instance.objectNode();
    flat.forEach((key, value) -> renamed.set(name.apply(key), value));
    return renamed;
  }

  private static void flatten(
      String prefix, JsonNode node, String joint, Map<String, JsonNode> flat) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              e -> {
                String key = prefix.isEmpty() ? e.getKey() : prefix + joint + e.getKey();
                flatten(key, e.getValue(), joint, flat);
              });
    } else if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        flatten(prefix + joint + i, node.get(i), joint, flat);
      }
    } else {
      flat.put(prefix, node);
    }
  }

  private static ObjectNode texts(String event) {
    ObjectNode texts = (ObjectNode) AuditForm.tree(event);
    for (String field : List.of("user", "sourceIPs", "objectRef", "responseStatus")) {
      texts.put(field, texts.get(field).toString());
    }
    texts.remove("annotations");
    return texts;
  }

  private static ObjectNode portal(String event) {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    ObjectNode e = texts(event);
    String second = e.get("requestReceivedTimestamp").asText().substring(17, 19);
    row.put("TimeGenerated [UTC]", "11/22/2026, 10:01:00.000 AM");
    row.set("AuditId", e.get("auditID"));
    row.set("Stage", e.get("stage"));
    row.set("RequestUri", e.get("requestURI"));
    row.set("Verb", e.get("verb"));
    row.set("User", e.get("user"));
    row.set("SourceIps", e.get("sourceIPs"));
    row.set("UserAgent", e.get("userAgent"));
    row.set("ObjectRef", e.get("objectRef"));
    row.set("ResponseStatus", e.get("responseStatus"));
    return row.put("RequestReceivedTime [UTC]", "11/22/2026, 10:00:" + second + ".000 AM");
  }

  private static String search(List<String> events) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode hits = answer.putObject("hits").putArray("hits");
    for (String event : events) {
      ObjectNode fields = hits.addObject().put("_index", "a").putObject("fields");
      renamed(event, ".", k -> "kubernetes.audit." + k)
          .properties()
          .forEach(e -> fields.putArray(e.getKey()).add(e.getValue()));
    }
    return answer.toString();
  }

  private static String table(
      List<String> events, String separator, Function<String, ObjectNode> form) {
    List<ObjectNode> rows = events.stream().map(form).toList();
    List<String> columns = new ArrayList<>();
    rows.getFirst().fieldNames().forEachRemaining(columns::add);
    StringBuilder table =
        new StringBuilder(
            String.join(separator, columns.stream().map(AuditExport::field).toList()) + "\n");
    for (ObjectNode row : rows) {
      table
          .append(
              columns.stream()
                  .map(column -> field(row.path(column).asText()))
                  .collect(Collectors.joining(separator)))
          .append("\r\n");
    }
    return table.toString();
  }

  private static String field(String text) {
    boolean plain = text.matches("[\\w.: -]*");
    return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
  }

  private static String rows(List<String> events, String names, String values, boolean typed) {
    List<ObjectNode> rows = events.stream().map(AuditExport::texts).toList();
    ObjectNode table = JsonNodeFactory.instance.objectNode();
    ArrayNode columns = table.putArray(names);
    rows.getFirst()
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (typed) {
                columns.addObject().put("name", name).put("type", "string");
              } else {
                columns.add(name);
              }
            });
    ArrayNode list = table.putArray(values);
    rows.forEach(
        row ->
            list.addArray()
                .addAll(
                    new ArrayList<>(row.properties().stream().map(Map.Entry::getValue).toList())));
    return "{\"tables\":[" + table + "]}";
  }

  private static String arrows(String event) {
    return event.replaceAll("\"([A-Za-z.0-9/]+)\":", "\"$1\"=>");
  }

  private static String timed(List<String> events, Function<String, String> time) {
    return AuditForm.lines(
        events,
        s -> {
          ObjectNode e = (ObjectNode) AuditForm.tree(s);
          String other = time.apply(e.get("requestReceivedTimestamp").asText());
          return e.put("requestReceivedTimestamp", other).toString();
        });
  }
}
