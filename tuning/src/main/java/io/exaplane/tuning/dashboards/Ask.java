// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import io.exaplane.tuning.alerts.Series;
import java.util.List;

/** The parts that queries have in common. Pure. */
final class Ask {
  static final String API = of(Series.API_SERVER);
  static final String STORE = of(Series.STORE);
  static final String CONTROLLERS = of(Series.CONTROLLERS);
  static final String KUBE_SCHEDULER = of(Series.KUBE_SCHEDULER);
  static final String OPERATOR = "job=\"" + Series.OPERATOR + "\"";

  /** A SchedulerPool has a name of its own. */
  static final String POOL =
      "job=\"" + Series.POOL + "\",namespace=\"$namespace\",controlplane=\"$pool\"";

  /** Of every SchedulerPool beside a control plane. */
  static final String POOLS = "job=\"" + Series.POOL + "\",namespace=\"$namespace\"";

  private Ask() {}

  private static String of(String job) {
    return "job=\"" + job + "\",namespace=\"$namespace\",controlplane=\"$controlplane\"";
  }

  /** What people choose on a dashboard about one control plane. */
  static List<Dashboard.Choice> controlPlane() {
    String up = "up{job=\"" + Series.STORE + "\"";
    return List.of(
        new Dashboard.Choice("namespace", "Namespace", up + "}", "namespace"),
        new Dashboard.Choice(
            "controlplane", "Control plane", up + ",namespace=\"$namespace\"}", "controlplane"));
  }

  /** The sum of a counter's rates. */
  static String rate(String by, String counter, String selector) {
    return "sum by (%s) (rate(%s{%s}[$__rate_interval]))".formatted(by, counter, selector);
  }

  /** A quantile of a histogram over all its processes. */
  static String quantile(double quantile, String by, String histogram, String selector) {
    return "histogram_quantile(%s, sum by (%s) (rate(%s_bucket{%s}[$__rate_interval])))"
        .formatted(quantile, by.isEmpty() ? "le" : by + ", le", histogram, selector);
  }

  /** The ten largest. */
  static String most(String promql) {
    return "topk(10, " + promql + ")";
  }
}
