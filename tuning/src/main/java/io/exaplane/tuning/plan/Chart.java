// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.plan;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.plan.CapacityPlan.Step;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** A capacity plan as a picture: small panels one below the other, both axes logarithmic. Pure. */
public final class Chart {
  private static final int WIDTH = 860;
  private static final int LEFT = 230;
  private static final int RIGHT = 40;
  private static final int PANEL = 96;
  private static final int GAP = 26;
  private static final int TOP = 54;

  private record Panel(String title, ToDoubleFunction<Step> figure, DoubleFunction<String> text) {}

  private static final List<Panel> PANELS =
      List.of(
          new Panel("kube-apiservers", Step::apiServers, Numbers::text),
          new Panel("memory, each", Step::memoryPerServer, Bytes::text),
          new Panel("cores, each", Step::cpusPerServer, Numbers::text),
          new Panel("stores", Step::stores, Numbers::text),
          new Panel("stored objects", Step::storedBytes, Bytes::text),
          new Panel("schedulers", Step::schedulers, Numbers::text),
          new Panel("watch traffic, a second", Step::watchBytesPerSecond, Bytes::text),
          new Panel("store traffic, a second", Step::storeBytesPerSecond, Bytes::text));

  private Chart() {}

  /** The picture as SVG. */
  public static String svg(CapacityPlan plan, String title) {
    int height = TOP + PANELS.size() * (PANEL + GAP) + 30;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n"
                + "<text x=\"20\" y=\"28\" font-size=\"17\">%s</text>%n",
            WIDTH,
            height,
            WIDTH,
            height,
            escaped(title)));
    for (int i = 0; i < PANELS.size(); i++) {
      panel(svg, plan.steps(), PANELS.get(i), TOP + i * (PANEL + GAP));
    }
    int bottom = TOP + PANELS.size() * (PANEL + GAP);
    for (Step step : plan.steps()) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" font-size=\"11\">%s</text>%n",
              x(step, plan.steps()),
              bottom + 6,
              nodes(step.nodes())));
    }
    return svg.append(
            String.format(
                Locale.ROOT, "<text x=\"20\" y=\"%d\">nodes</text>%n</svg>%n", bottom + 6))
        .toString();
  }

  private static void panel(StringBuilder svg, List<Step> steps, Panel panel, int top) {
    double most = steps.stream().mapToDouble(panel.figure()).max().orElse(1);
    double least = steps.stream().mapToDouble(panel.figure()).min().orElse(1);
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"20\" y=\"%d\">%s</text>%n<text x=\"20\" y=\"%d\" fill=\"#666\">%s … %s</text>%n"
                + "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f4f6f8\"/>%n",
            top + 40,
            escaped(panel.title()),
            top + 58,
            panel.text().apply(least),
            panel.text().apply(most),
            LEFT - 14,
            top,
            WIDTH - LEFT - RIGHT + 28,
            PANEL));
    StringBuilder points = new StringBuilder();
    for (Step step : steps) {
      double y = y(panel.figure().applyAsDouble(step), least, most, top);
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(step, steps), y));
    }
    svg.append(
        String.format(
            Locale.ROOT,
            "<polyline points=\"%s\" fill=\"none\" stroke=\"#1f6feb\" stroke-width=\"2\"/>%n",
            points.toString().strip()));
    for (Step step : steps) {
      double value = panel.figure().applyAsDouble(step);
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s nodes: %s</title></circle>%n",
              x(step, steps),
              y(value, least, most, top),
              step.warnings().isEmpty() ? "#1f6feb" : "#d1242f",
              nodes(step.nodes()),
              panel.text().apply(value)));
    }
  }

  private static double x(Step step, List<Step> steps) {
    double first = Math.log(steps.getFirst().nodes());
    double last = Math.log(steps.getLast().nodes());
    double part = last == first ? 0.5 : (Math.log(step.nodes()) - first) / (last - first);
    return LEFT + part * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double value, double least, double most, int top) {
    double low = Math.log(Math.max(1e-9, least));
    double high = Math.log(Math.max(1e-9, most));
    double part = high == low ? 0.5 : (Math.log(Math.max(1e-9, value)) - low) / (high - low);
    return top + PANEL - 10 - part * (PANEL - 20);
  }

  private static String nodes(long nodes) {
    return nodes >= 1_000_000
        ? trimmed(nodes / 1_000_000.0) + "M"
        : nodes >= 1_000 ? trimmed(nodes / 1_000.0) + "k" : Long.toString(nodes);
  }

  private static String trimmed(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
