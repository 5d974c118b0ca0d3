// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.plan;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.path.Change;
import io.exaplane.tuning.path.Path;
import io.exaplane.tuning.plan.CapacityPlan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A capacity plan as a picture: small panels one below the other, both axes logarithmic, with the
 * cluster as it was given and after the changes. Pure.
 */
public final class Chart {
  private static final int WIDTH = 1_080;
  private static final int LEFT = 230;
  private static final int RIGHT = 60;
  private static final int PANEL = 120;
  private static final int GAP = 22;
  private static final int TOP = 96;
  private static final int LINE = 17;

  /** Small ones that a line below the panels has room for. */
  private static final int LETTERS = 150;

  private static final int ABOVE = -8;
  private static final int BELOW = 16;

  /** Around the lines, for the values above and below them. */
  private static final int ROOM = 26;

  private static final String GIVEN = "#b45309";
  private static final String CHANGED = "#1f6feb";
  private static final String EXCEEDED = "#d1242f";

  private record Panel(
      String title, String unit, ToDoubleFunction<Step> figure, DoubleFunction<String> text) {}

  private static final List<Panel> PANELS =
      List.of(
          new Panel("kube-apiservers", "number", Step::apiServers, Numbers::text),
          new Panel("memory of a kube-apiserver", "bytes", Step::memoryPerServer, Bytes::text),
          new Panel("cores of a kube-apiserver", "cores", Step::cpusPerServer, Chart::cores),
          new Panel("stores", "number", Step::stores, Numbers::text),
          new Panel("stored objects", "bytes", Step::storedBytes, Bytes::text),
          new Panel("schedulers", "number", Step::schedulers, Numbers::text),
          new Panel("watch traffic", "bytes a second", Step::watchBytesPerSecond, Chart::rate),
          new Panel("store traffic", "bytes a second", Step::storeBytesPerSecond, Chart::rate));

  private final CapacityPlan plan;
  private final StringBuilder svg = new StringBuilder();

  private Chart(CapacityPlan plan) {
    this.plan = plan;
  }

  /** The picture as SVG. */
  public static String svg(CapacityPlan plan, String title) {
    return new Chart(plan).drawn(title);
  }

  private String drawn(String title) {
    int bottom = TOP + PANELS.size() * (PANEL + GAP);
    int lines = plan.paths().stream().mapToInt(path -> 1 + settings(path).size()).sum();
    int height = bottom + 70 + lines * LINE;
    draw(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
            + " font-family=\"sans-serif\" font-size=\"12\">%n"
            + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
        WIDTH, height, WIDTH, height);
    text(20, 28, "font-size=\"17\"", title);
    text(20, 48, "fill=\"#666\"", "on servers of " + plan.servers());
    legend();
    for (int i = 0; i < PANELS.size(); i++) {
      panel(PANELS.get(i), TOP + i * (PANEL + GAP));
    }
    text(20, bottom + 6, "", "nodes");
    for (Step step : plan.steps()) {
      text(x(step), bottom + 6, "text-anchor=\"middle\" font-size=\"11\"", nodes(step.nodes()));
    }
    paths(bottom + 40);
    draw("</svg>%n");
    return svg.toString();
  }

  private void legend() {
    int y = 72;
    sample(20, y, GIVEN, "as given");
    sample(130, y, CHANGED, "after the changes that are listed below");
    draw("<circle class=\"legend\" cx=\"424\" cy=\"%d\" r=\"4\" fill=\"%s\"/>%n", y, EXCEEDED);
    text(434, y + 4, "", "a limit is exceeded at this size");
  }

  private void sample(int x, int y, String colour, String meaning) {
    draw(
        "<line class=\"legend\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\""
            + " stroke-width=\"2\"/>%n",
        x, y, x + 26, y, colour);
    text(x + 34, y + 4, "", meaning);
  }

  private void panel(Panel panel, int top) {
    text(20, top + 46, "", panel.title());
    text(20, top + 63, "fill=\"#666\"", panel.unit());
    draw(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f4f6f8\"/>%n",
        LEFT - 24, top, WIDTH - LEFT - RIGHT + 48, PANEL);
    line(panel, plan.steps(), top, GIVEN);
    line(panel, plan.changed(), top, CHANGED);
    for (int i = 0; i < plan.steps().size(); i++) {
      labels(panel, plan.steps().get(i), plan.changed().get(i), top);
    }
  }

  private void line(Panel panel, List<Step> steps, int top, String colour) {
    draw(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
        steps.stream()
            .map(step -> String.format(Locale.ROOT, "%.1f,%.1f", x(step), y(panel, step, top)))
            .collect(Collectors.joining(" ")),
        colour);
    for (Step step : steps) {
      draw(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"><title>%s nodes: %s</title>"
              + "</circle>%n",
          x(step),
          y(panel, step, top),
          step.warnings().isEmpty() ? colour : EXCEEDED,
          nodes(step.nodes()),
          valueText(panel, step));
    }
  }

  /** Both values of a size, the higher above its point and the lower below; one if they agree. */
  private void labels(Panel panel, Step given, Step changed, int top) {
    boolean isHigher = panel.figure().applyAsDouble(changed) > panel.figure().applyAsDouble(given);
    label(panel, given, top, GIVEN, isHigher ? BELOW : ABOVE);
    if (!valueText(panel, given).equals(valueText(panel, changed))) {
      label(panel, changed, top, CHANGED, isHigher ? ABOVE : BELOW);
    }
  }

  private void label(Panel panel, Step step, int top, String colour, int shift) {
    text(
        x(step),
        y(panel, step, top) + shift,
        "text-anchor=\"middle\" font-size=\"10\" fill=\"" + colour + "\"",
        valueText(panel, step));
  }

  private static String valueText(Panel panel, Step step) {
    return panel.text().apply(panel.figure().applyAsDouble(step));
  }

  /** For each size, what breaks first and what is changed. */
  private void paths(int top) {
    text(20, top, "font-size=\"14\"", "How to get there");
    int y = top + LINE + 4;
    for (Path path : plan.paths()) {
      text(20, y, "font-weight=\"bold\"", nodes(path.nodes()));
      text(70, y, "", broken(path));
      y += LINE;
      for (String line : settings(path)) {
        text(70, y - 2, "fill=\"" + CHANGED + "\" font-size=\"10\"", line);
        y += LINE;
      }
    }
  }

  /** The changes, as many in a line as there is room for. */
  private static List<String> settings(Path path) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (Change change : path.changes()) {
      String setting = change.input() + "=" + change.to();
      if (line.length() + setting.length() > LETTERS) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : "   ").append(setting);
    }
    if (!line.isEmpty()) {
      lines.add(line.toString());
    }
    return lines;
  }

  private static String broken(Path path) {
    if (path.exceeded().isEmpty()) {
      return "no limit is exceeded";
    }
    return "%s breaks first: it needs %s of %s%s"
        .formatted(
            path.exceeded().getFirst().name(),
            path.exceeded().getFirst().unit().text(path.exceeded().getFirst().needed()),
            path.exceeded().getFirst().unit().text(path.exceeded().getFirst().available()),
            path.fits() ? "" : "; all changes together are not enough");
  }

  private double x(Step step) {
    double first = Math.log(plan.steps().getFirst().nodes());
    double last = Math.log(plan.steps().getLast().nodes());
    double part = last == first ? 0.5 : (Math.log(step.nodes()) - first) / (last - first);
    return LEFT + part * (WIDTH - LEFT - RIGHT);
  }

  private double y(Panel panel, Step step, int top) {
    double low = Math.log(values(panel).min().orElse(1));
    double high = Math.log(values(panel).max().orElse(1));
    double value = Math.log(positive(panel.figure().applyAsDouble(step)));
    double part = high == low ? 0.5 : (value - low) / (high - low);
    return top + PANEL - ROOM - part * (PANEL - 2 * ROOM);
  }

  private DoubleStream values(Panel panel) {
    return Stream.concat(plan.steps().stream(), plan.changed().stream())
        .mapToDouble(panel.figure())
        .map(Chart::positive);
  }

  /** A logarithm wants it. */
  private static double positive(double value) {
    return Math.max(1e-9, value);
  }

  private void text(double x, double y, String attributes, String text) {
    draw(
        "<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>%n",
        x, y, attributes, text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
  }

  private void draw(String form, Object... values) {
    svg.append(String.format(Locale.ROOT, form, values));
  }

  private static String rate(double bytes) {
    return Bytes.text(bytes) + "/s";
  }

  private static String cores(double cores) {
    return Numbers.text(cores < 10 ? cores : Math.rint(cores));
  }

  private static String nodes(long nodes) {
    return nodes >= 1_000_000
        ? trimmed(nodes / 1_000_000.0) + "M"
        : nodes >= 1_000 ? trimmed(nodes / 1_000.0) + "k" : Long.toString(nodes);
  }

  private static String trimmed(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
