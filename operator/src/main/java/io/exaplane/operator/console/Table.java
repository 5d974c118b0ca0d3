// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.operator.status.NextAction;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of a page. Immutable.
 *
 * @param caption for whoever cannot see the heading above
 * @param heads of the columns
 */
public record Table(String caption, List<String> heads, List<Row> rows) {
  /** How a cell looks; never by colour alone, since its words say the same. */
  public enum Look {
    PLAIN,
    NUMBER,
    GOOD,
    BAD,
    UNKNOWN
  }

  /**
   * A cell.
   *
   * @param href "" for a cell without a link
   */
  public record Cell(String text, Look look, String href) {
    static Cell of(Object text) {
      return new Cell(Text.of(text), Look.PLAIN, "");
    }

    static Cell number(String text) {
      return new Cell(text, Look.NUMBER, "");
    }

    /** The name of the class. */
    public String css() {
      return look.name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * A row.
   *
   * @param id by which a browser keeps the focus when the row is replaced; "" for none
   */
  public record Row(String id, List<Cell> cells) {
    static Row of(Cell... cells) {
      return new Row("", List.of(cells));
    }

    /** The one that names the row. */
    public Cell head() {
      return cells.getFirst();
    }

    /** The others. */
    public List<Cell> rest() {
      return cells.subList(1, cells.size());
    }
  }

  /** Two columns: a name and its value. */
  static Table facts(String caption, String... namesAndValues) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      rows.add(Row.of(Cell.of(namesAndValues[i]), Cell.of(namesAndValues[i + 1])));
    }
    return new Table(caption, List.of("Fact", "Value"), rows);
  }

  /** Conditions in their order; those that are not good have a look of their own. */
  static Table conditions(String caption, List<Condition> conditions) {
    List<Row> rows = new ArrayList<>();
    for (Condition each : conditions == null ? List.<Condition>of() : conditions) {
      rows.add(
          Row.of(
              Cell.of(each.type()),
              new Cell(each.status(), look(each), ""),
              Cell.of(each.reason()),
              Cell.of(each.message()),
              Cell.of(each.lastTransitionTime())));
    }
    return new Table(caption, List.of("Condition", "Status", "Reason", "Meaning", "Since"), rows);
  }

  private static Look look(Condition condition) {
    return NextAction.isGood(condition.type(), condition.status())
        ? Look.GOOD
        : condition.status().equals(Condition.UNKNOWN) ? Look.UNKNOWN : Look.BAD;
  }
}
