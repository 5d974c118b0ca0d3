// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.plane.Comparison;
import io.exaplane.cli.plane.Comparison.Difference;
import io.exaplane.cli.plane.Comparison.Figure;
import java.io.PrintWriter;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;

/** Two reports beside each other, for people. */
final class ReportComparison {
  /** Rows of one table; JSON and YAML have all. */
  private static final int MOST_ROWS = 200;

  private static final int MOST_CHARACTERS = 60;
  private static final int WHOLE_FROM = 10;
  private static final int MINUTES_OF_HOUR = 60;

  private ReportComparison() {}

  static void print(PrintWriter out, Comparison compared) {
    out.printf("A: %s%nB: %s, %s%n", compared.before(), compared.after(), between(compared));
    figures(out, compared.figures());
    differences(out, "Settings that differ", compared.settings());
    differences(out, "State that differs", compared.state());
    names(out, "Only in A", compared.onlyBefore());
    names(out, "Only in B", compared.onlyAfter());
    if (isSame(compared)) {
      out.printf("%nThe reports do not differ.%n");
    }
    out.flush();
  }

  private static String between(Comparison compared) {
    long minutes = Math.round(Math.abs(compared.hours()) * MINUTES_OF_HOUR);
    String text = "%d h %02d min".formatted(minutes / MINUTES_OF_HOUR, minutes % MINUTES_OF_HOUR);
    return text + (compared.hours() < 0 ? " earlier" : " later");
  }

  private static boolean isSame(Comparison compared) {
    return compared.figures().isEmpty()
        && compared.settings().isEmpty()
        && compared.state().isEmpty()
        && compared.onlyBefore().isEmpty()
        && compared.onlyAfter().isEmpty();
  }

  private static void figures(PrintWriter out, List<Figure> figures) {
    if (figures.isEmpty()) {
      return;
    }
    out.printf("%nFigures that differ%n");
    Table table = new Table("OBJECT", "FIELD", "A", "B", "CHANGE", "PER HOUR");
    for (Figure each : figures.subList(0, Math.min(MOST_ROWS, figures.size()))) {
      table.row(
          plain(each.object()),
          plain(each.field()),
          number(each.before()),
          number(each.after()),
          (each.change() > 0 ? "+" : "") + number(each.change()),
          each.perHour() == null ? "-" : number(each.perHour()));
    }
    table.print(out);
    more(out, figures.size());
  }

  private static void differences(PrintWriter out, String title, List<Difference> differences) {
    if (differences.isEmpty()) {
      return;
    }
    out.printf("%n%s%n", title);
    Table table = new Table("OBJECT", "FIELD", "A", "B");
    for (Difference each : differences.subList(0, Math.min(MOST_ROWS, differences.size()))) {
      table.row(plain(each.object()), plain(each.field()), text(each.before()), text(each.after()));
    }
    table.print(out);
    more(out, differences.size());
  }

  private static void names(PrintWriter out, String title, List<String> names) {
    if (names.isEmpty()) {
      return;
    }
    out.printf("%n%s%n", title);
    names
        .subList(0, Math.min(MOST_ROWS, names.size()))
        .forEach(name -> out.println("  " + plain(name)));
    more(out, names.size());
  }

  private static void more(PrintWriter out, int rows) {
    if (rows > MOST_ROWS) {
      out.printf("  %d more; -o json prints all%n", rows - MOST_ROWS);
    }
  }

  private static String text(String value) {
    if (value == null) {
      return "-";
    }
    String line = plain(value.strip().replaceAll("\\s+", " "));
    return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "…";
  }

  /** Without what terminals obey or show elsewhere: bundles come from other people, too. */
  private static String plain(String value) {
    return value.replaceAll("[\\p{Cc}\\p{Cf}\\u2028\\u2029]", "?");
  }

  private static String number(double value) {
    boolean isWhole = value == Math.rint(value) || Math.abs(value) >= WHOLE_FROM;
    String form = isWhole ? "#,##0" : "0.00";
    return new DecimalFormat(form, DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value);
  }
}
