// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import io.exaplane.tuning.alerts.AlertRules;
import io.exaplane.tuning.alerts.Metrics;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.MinorVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All dashboards for a version of hosted clusters. A panel whose metric or label the version does
 * not have would stay empty, so it is a mistake of its class, and throws. Pure.
 */
public final class Dashboards {
  private Dashboards() {}

  /**
   * The dashboards, from the whole to the parts.
   *
   * @throws InvalidInputException if the version's metrics are unknown
   */
  public static List<Dashboard> of(MinorVersion version) {
    AlertRules.mustBeKnown(version);
    List<Dashboard> all =
        List.of(
            FleetDashboard.of(),
            ControlPlaneDashboard.of(version),
            StoreDashboard.of(),
            SchedulerDashboard.of(),
            NodesDashboard.of(),
            AddonsDashboard.of(),
            RunDashboard.of());
    all.forEach(dashboard -> check(dashboard, Metrics.of(version)));
    return all;
  }

  private static void check(Dashboard dashboard, Metrics metrics) {
    for (Dashboard.Choice choice : dashboard.choices()) {
      metrics.check(dashboard.name(), choice.metric(), Set.of());
    }
    Set<String> titles = new HashSet<>();
    for (Panel panel : dashboard.panels()) {
      String name = dashboard.name() + ": " + panel.title();
      panel.queries().forEach(query -> metrics.check(name, query.promql(), Set.of()));
      if (!titles.add(panel.title())) {
        throw new IllegalStateException(name + ": two panels have this title");
      }
    }
  }
}
