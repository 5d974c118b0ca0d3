// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.MinorVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All groups of alerts for a version of hosted clusters. An alert whose metric or label the version
 * does not have would never fire, so it is a mistake of its class, and throws. Pure.
 */
public final class AlertRules {
  /** The oldest version whose metrics are known, and the newest. */
  public static final int OLDEST = 34;

  public static final int NEWEST = 37;

  private AlertRules() {}

  /**
   * The groups, in the order in which people look for them.
   *
   * @throws InvalidInputException if the version's metrics are unknown
   */
  public static List<AlertGroup> of(AlertInputs inputs) {
    MinorVersion version = inputs.version();
    mustBeKnown(version);
    List<AlertGroup> groups = new ArrayList<>(FleetAlerts.groups());
    groups.addAll(StoreAlerts.groups(inputs));
    groups.add(BudgetAlerts.group());
    groups.addAll(ApiServerAlerts.groups());
    groups.addAll(ReadAlerts.groups(inputs));
    groups.addAll(ClusterAlerts.groups());
    check(groups, version);
    return List.copyOf(groups);
  }

  /**
   * The metrics of a version are known.
   *
   * @throws InvalidInputException if they are not
   */
  public static void mustBeKnown(MinorVersion version) {
    if (version.minor() < OLDEST || version.minor() > NEWEST) {
      throw new InvalidInputException(
          "--kubernetes",
          version.toString(),
          "must be 1.%d to 1.%d, the versions whose metrics are known".formatted(OLDEST, NEWEST),
          "choose one of these versions");
    }
  }

  private static void check(List<AlertGroup> groups, MinorVersion version) {
    Metrics metrics = Metrics.of(version);
    Set<String> names = new HashSet<>();
    Set<String> recorded = new HashSet<>();
    for (AlertGroup group : groups) {
      group.records().forEach((name, rule) -> metrics.check(name, rule, recorded));
      recorded.addAll(group.records().keySet());
      for (Alert alert : group.alerts()) {
        metrics.check(alert.name(), alert.expression(), recorded);
        if (!names.add(alert.name())) {
          throw new IllegalStateException(alert.name() + ": two alerts have this name");
        }
      }
    }
  }
}
