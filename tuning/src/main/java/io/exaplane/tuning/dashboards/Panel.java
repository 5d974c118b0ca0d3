// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import java.util.ArrayList;
import java.util.List;

/**
 * One picture: what it shows, in which unit, and by which queries. Immutable.
 *
 * @param title what is counted
 * @param form how it is drawn
 * @param unit of all values
 * @param about what the values mean, and what to do when they are bad
 * @param queries in PromQL; ranges are {@code $__rate_interval}
 * @param warnAt values from there on are yellow; NaN for none
 * @param badAt values from there on are red; NaN for none
 * @param quiet why the panel may have no values while nothing is wrong, shown in their place; empty
 *     if it always has some
 */
public record Panel(
    String title,
    Form form,
    Unit unit,
    String about,
    List<Query> queries,
    double warnAt,
    double badAt,
    String quiet) {
  /** How values are drawn. */
  public enum Form {
    /** Lines over time. */
    GRAPH,
    /** The newest value, large. */
    NUMBER
  }

  /**
   * A question to Prometheus.
   *
   * @param legend the name of each answer, with labels in double braces
   */
  public record Query(String promql, String legend) {}

  public Panel {
    queries = List.copyOf(queries);
  }

  /** The first words of a graph; the rest follows in a row. */
  static Panel graph(String title, Unit unit, String about) {
    return new Panel(title, Form.GRAPH, unit, about, List.of(), Double.NaN, Double.NaN, "");
  }

  /** The first words of a number; the rest follows in a row. */
  static Panel number(String title, Unit unit, String about) {
    return new Panel(title, Form.NUMBER, unit, about, List.of(), Double.NaN, Double.NaN, "");
  }

  Panel ask(String promql, String legend) {
    List<Query> all = new ArrayList<>(queries);
    all.add(new Query(promql, legend));
    return new Panel(title, form, unit, about, all, warnAt, badAt, quiet);
  }

  Panel warnAt(double value) {
    return new Panel(title, form, unit, about, queries, value, badAt, quiet);
  }

  Panel badAt(double value) {
    return new Panel(title, form, unit, about, queries, warnAt, value, quiet);
  }

  /** It may be empty: nothing that it counts has happened. */
  Panel quiet(String reason) {
    return new Panel(title, form, unit, about, queries, warnAt, badAt, reason);
  }

  /**
   * Nobody looks at a panel that does not say what it shows.
   *
   * @throws IllegalStateException if a part is missing
   */
  Panel mustBeWhole() {
    boolean lacksLegend = queries.stream().anyMatch(query -> query.legend().isBlank());
    if (title.isBlank() || about.isBlank() || queries.isEmpty() || lacksLegend) {
      throw new IllegalStateException(
          "panel '%s': title, meaning, queries and legends must be given".formatted(title));
    }
    return this;
  }
}
