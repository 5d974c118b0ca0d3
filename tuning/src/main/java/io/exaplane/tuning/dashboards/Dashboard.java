// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import java.util.List;

/**
 * Rows of panels about one subject. Immutable.
 *
 * @param name of its file, and the end of its id in Grafana
 * @param shows what people open it for, in a sentence
 * @param choices what people choose at its top, one after another
 */
public record Dashboard(
    String name, String title, String shows, List<Choice> choices, List<Row> rows) {
  /** Panels under a common heading. */
  public record Row(String title, List<Panel> panels) {
    public Row {
      panels = panels.stream().map(Panel::mustBeWhole).toList();
    }
  }

  /**
   * A value that people choose, and that queries have by its name.
   *
   * @param metric whose series have the values
   * @param value the label that has them
   */
  public record Choice(String name, String label, String metric, String value) {}

  public Dashboard {
    choices = List.copyOf(choices);
    rows = List.copyOf(rows);
  }

  /** Its id, by which links and provisioning find it again. */
  public String uid() {
    return "exaplane-" + name;
  }

  /** All its panels, from top to bottom. */
  public List<Panel> panels() {
    return rows.stream().flatMap(row -> row.panels().stream()).toList();
  }
}
