// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns as wide as they need to be. */
final class Table {
  private final List<String[]> rows = new ArrayList<>();
  private final boolean headed;

  /** With these words above the columns; none if all are empty. */
  Table(String... heads) {
    headed = String.join("", heads).length() > 0;
    if (headed) {
      rows.add(heads);
    }
  }

  void row(String... cells) {
    rows.add(cells);
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
