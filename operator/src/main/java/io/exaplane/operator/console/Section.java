// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a page that is sent again when it changes. Immutable.
 *
 * @param name of the part and of its event
 * @param title its heading
 * @param notes sentences above the tables
 */
public record Section(String name, String title, List<String> notes, List<Block> blocks) {
  /**
   * A table, perhaps with a picture above it.
   *
   * @param title "" if the section's own says enough
   * @param closed whether the table opens on request only
   * @param chart null for none
   */
  public record Block(String title, boolean closed, Chart chart, Table table) {
    static Block of(String title, Table table) {
      return new Block(title, false, null, table);
    }
  }

  /**
   * A line over time.
   *
   * @param label all that the picture says, in words
   * @param points of an SVG polyline in a box of 600 by 80
   */
  public record Chart(String label, String points) {
    private static final int WIDTH = 600;
    private static final int HEIGHT = 80;

    /** Writes per second at the last looks, of which the last one is at the right. */
    static Chart ofWrites(String store, List<Double> trend) {
      double most = trend.stream().mapToDouble(Double::doubleValue).max().orElse(0);
      List<String> points = new ArrayList<>();
      for (int i = 0; i < trend.size(); i++) {
        double x = trend.size() == 1 ? WIDTH : (double) i * WIDTH / (trend.size() - 1);
        double y = most == 0 ? HEIGHT : HEIGHT - trend.get(i) * HEIGHT / most;
        points.add("%.0f,%.0f".formatted(x, y));
      }
      return new Chart(
          "Writes per second of %s in the last %d looks, one each 10 s: now %s, at most %s"
              .formatted(store, trend.size(), Text.rate(trend.getLast()), Text.rate(most)),
          String.join(" ", points));
    }
  }

  static Section of(String name, String title, Table table) {
    return new Section(name, title, List.of(), List.of(Block.of("", table)));
  }

  /** One that has words only. */
  static Section note(String name, String title, String note) {
    return new Section(name, title, List.of(note), List.of());
  }
}
