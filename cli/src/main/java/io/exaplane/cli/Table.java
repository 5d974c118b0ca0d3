// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rows of text in columns as wide as they need to be. */
final class Table {
  private static final Pattern NOT_PLAIN =
      Pattern.compile("[\\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]");
  private final List<String[]> rows = new ArrayList<>();
  private final boolean headed;

  /** With these words above the columns; none if all are empty. */
  Table(String... heads) {
    headed = String.join("", heads).length() > 0;
    if (headed) {
      rows.add(heads);
    }
  }

  /** Words of clusters and clients may have commands for a terminal in them. */
  void row(String... cells) {
    rows.add(Stream.of(cells).map(Table::plain).toArray(String[]::new));
  }

  /** The same without control characters, and without those that turn the direction of text. */
  static String plain(String cell) {
    return NOT_PLAIN.matcher(cell).replaceAll("?");
  }

  boolean isEmpty() {
    return rows.size() == (headed ? 1 : 0);
  }

  void print(PrintWriter out) {
    int columns = rows.stream().mapToInt(row -> row.length).max().orElse(0);
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append("  ").append(row[i]).repeat(' ', widths[i] - row[i].length());
      }
      out.println(line.toString().stripTrailing());
    }
    out.flush();
  }
}
