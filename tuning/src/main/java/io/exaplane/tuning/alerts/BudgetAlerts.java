// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How fast an API uses up its error budget: one request of a hundred may fail or be slow in thirty
 * days. Two windows each: the long one says that it matters, the short one that it still lasts.
 */
final class BudgetAlerts {
  private static final String BURN = "exaplane:apiserver_request:burnrate";
  private static final List<String> WINDOWS = List.of("5m", "30m", "1h", "2h", "6h", "1d", "3d");
  private static final String BY = "sum by (" + Series.PLANE + ") ";

  /** Requests that last as long as their client wants have no latency to judge. */
  private static final String READS =
      "job=\""
          + Series.API_SERVER
          + "\",verb=~\"LIST|GET\",subresource!~\"proxy|attach|log|exec|portforward\"";

  private static final String WRITES =
      "job=\""
          + Series.API_SERVER
          + "\",verb=~\"POST|PUT|PATCH|DELETE\",subresource!~\"proxy|attach|log|exec|portforward\"";

  private BudgetAlerts() {}

  static AlertGroup group() {
    Map<String, String> records = new LinkedHashMap<>();
    WINDOWS.forEach(window -> records.put(BURN + window, burn(window)));
    return AlertGroup.of(
        "api-budget",
        "api",
        records,
        List.of(
            burns("ApiBudgetGoneIn2Days", "1h", "5m", "14.4").critical("2m"),
            burns("ApiBudgetGoneIn5Days", "6h", "30m", "6").critical("15m"),
            burns("ApiBudgetGoneIn10Days", "1d", "2h", "3").warning("1h"),
            burns("ApiBudgetGoneIn30Days", "3d", "6h", "1").warning("3h")));
  }

  private static Alert burns(String name, String longWindow, String shortWindow, String factor) {
    return Alert.named(name)
        .when(
            "%s%s > %s * 0.01 and %s%s > %s * 0.01"
                .formatted(BURN, longWindow, factor, BURN, shortWindow, factor))
        .says(
            "{{ $value | humanizePercentage }} of the requests to "
                + Series.WHERE
                + " fail or are slow, for its users and its controllers alike.")
        .then("Run 'kubectl describe cpl'; then follow the other alerts of this control plane.")
        .since(
            ("kubernetes-mixin, KubeAPIErrorBudgetBurn: %s times the 1 %% that the objective of 99 %%"
                    + " allows, over %s and %s")
                .formatted(factor, longWindow, shortWindow));
  }

  /** The share of requests that fail, or are slower than SIG Scalability's objectives. */
  private static String burn(String window) {
    String timed = "apiserver_request_sli_duration_seconds";
    String all =
        BY
            + "(rate(apiserver_request_total{job=\""
            + Series.API_SERVER
            + "\",verb=~"
            + "\"LIST|GET|POST|PUT|PATCH|DELETE\",subresource!~\"proxy|attach|log|exec|portforward\"}["
            + window
            + "]))";
    String errors =
        BY
            + "(rate(apiserver_request_total{job=\""
            + Series.API_SERVER
            + "\",code=~\"5..\",verb=~"
            + "\"LIST|GET|POST|PUT|PATCH|DELETE\"}["
            + window
            + "]))";
    return "((%s) - ((%s or %s * 0) + (%s or %s * 0) + (%s or %s * 0) + (%s or %s * 0))) / %s"
            .formatted(
                BY
                    + "(rate("
                    + timed
                    + "_count{job=\""
                    + Series.API_SERVER
                    + "\",verb=~"
                    + "\"LIST|GET|POST|PUT|PATCH|DELETE\",subresource!~\"proxy|attach|log|exec|portforward\"}["
                    + window
                    + "]))",
                within(timed, WRITES, "1", window),
                all,
                within(timed, READS + ",scope=~\"resource|\"", "1", window),
                all,
                within(timed, READS + ",scope=\"namespace\"", "5", window),
                all,
                within(timed, READS + ",scope=\"cluster\"", "30", window),
                all,
                all)
        + " + (%s or %s * 0) / %s".formatted(errors, all, all);
  }

  private static String within(String histogram, String selector, String seconds, String window) {
    return BY
        + "(rate(%s_bucket{%s,le=~\"%s([.]0)?\"}[%s]))"
            .formatted(histogram, selector, seconds, window);
  }
}
