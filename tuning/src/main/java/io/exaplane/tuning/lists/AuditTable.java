// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A table of text with a column for each field of an event, as portals and databases export it:
 * separated by commas, semicolons, bars or tabs, with quotes around what has one of these or a new
 * line. One thread.
 */
final class AuditTable {
  private static final String SEPARATORS = ",;\t|";
  private static final int LONGEST_ROW = 1 << 20;
  private static final int LONGEST_HEAD = 1 << 13;

  /** A look that costs little. */
  private static final Pattern VERB = Pattern.compile("(?i)verb");

  private static final char QUOTE = '"';

  private final char separator;
  private final List<String> columns;
  private final List<String> begun = new ArrayList<>();
  private int length;
  private Cells open;

  private AuditTable(char separator, List<String> columns) {
    this.separator = separator;
    this.columns = columns;
  }

  /** The table that begins with a line; null if the line is no head of columns of events. */
  static AuditTable begunBy(String line) {
    boolean head = line.length() <= LONGEST_HEAD && VERB.matcher(line).find();
    for (int i = 0; head && i < SEPARATORS.length(); i++) {
      char separator = SEPARATORS.charAt(i);
      if (line.indexOf(separator) < 0) {
        continue;
      }
      Cells cells = new Cells(separator);
      cells.add(line);
      List<String> columns = cells.ended();
      AuditNames names = new AuditNames();
      Set<String> plain =
          columns == null
              ? Set.of()
              : columns.stream().map(names::plain).collect(Collectors.toSet());
      if (plain.contains("verb")
          && (plain.contains("requestURI") || plain.contains("objectRef.resource"))
          && (plain.contains("stage") || plain.contains("auditID"))) {
        return new AuditTable(separator, columns);
      }
    }
    return null;
  }

  /**
   * Takes a line.
   *
   * @return the rows that end with it: none while a field in quotes goes on
   */
  List<Row> rows(String line) {
    if (begun.isEmpty()) {
      open = new Cells(separator);
    } else {
      open.field.append('\n');
    }
    begun.add(line);
    length += line.length();
    open.add(line);
    if (!open.quoted) {
      List<Row> whole = List.of(row(String.join("\n", begun), open));
      begin();
      return whole;
    }
    return length < LONGEST_ROW ? List.of() : broken();
  }

  /**
   * The lines of a row that does not end, such as one with a single quote: each is a row by itself,
   * and is read once more only.
   */
  List<Row> broken() {
    List<Row> rows = new ArrayList<>();
    for (String line : begun) {
      Cells cells = new Cells(separator);
      cells.add(line);
      rows.add(row(line, cells));
    }
    begin();
    return rows;
  }

  private void begin() {
    begun.clear();
    length = 0;
  }

  private Row row(String text, Cells cells) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    List<String> fields = cells.ended();
    for (int i = 0; fields != null && i < Math.min(columns.size(), fields.size()); i++) {
      if (!fields.get(i).isEmpty()) {
        object.put(columns.get(i), fields.get(i));
      }
    }
    return new Row(text, object.toString());
  }

  /** Whether a row began and did not end. */
  boolean isOpen() {
    return !begun.isEmpty();
  }

  /**
   * A row.
   *
   * @param text as it was written
   * @param json the same as an object; an empty one if the row ends inside of quotes
   */
  record Row(String text, String json) {}

  /** The fields of a row, of which each character is looked at once. */
  private static final class Cells {
    private final char separator;
    private final List<String> fields = new ArrayList<>();
    private final StringBuilder field = new StringBuilder();
    private boolean quoted;

    Cells(char separator) {
      this.separator = separator;
    }

    void add(String line) {
      for (int i = 0; i < line.length(); i++) {
        char c = line.charAt(i);
        if (quoted && c == QUOTE && i + 1 < line.length() && line.charAt(i + 1) == QUOTE) {
          field.append(c);
          i++;
        } else if (c == QUOTE && (quoted || field.isEmpty())) {
          quoted = !quoted;
        } else if (c == separator && !quoted) {
          fields.add(field.toString());
          field.setLength(0);
        } else if (c != '\r' || quoted) {
          field.append(c);
        }
      }
    }

    /** All fields; null inside of quotes. */
    List<String> ended() {
      if (quoted) {
        return null;
      }
      fields.add(field.toString());
      return fields;
    }
  }
}
