// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Tables in JSON as query services answer with them: names of columns once, then a list for each
 * row (Log Analytics: {@code columns} and {@code rows}, ClickHouse: {@code meta} and {@code data},
 * Trino: {@code columns} and {@code data}).
 */
final class AuditRows {
  private AuditRows() {}

  static boolean areColumns(String field) {
    return field.equals("columns") || field.equals("meta");
  }

  static boolean are(String field) {
    return field.equals("rows") || field.equals("data");
  }

  /** Names of columns; none if these are no columns. */
  static List<String> columns(JsonNode described) {
    List<String> columns = new ArrayList<>();
    for (JsonNode column : described) {
      JsonNode name = column.isTextual() ? column : column.path("name");
      if (!name.isTextual()) {
        return List.of();
      }
      columns.add(name.asText());
    }
    return columns;
  }

  /** A row by the names of its columns; a value without a column keeps its number. */
  static JsonNode named(JsonNode row, List<String> columns) {
    ObjectNode named = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < row.size(); i++) {
      named.set(i < columns.size() ? columns.get(i) : Integer.toString(i), row.get(i));
    }
    return named;
  }
}
