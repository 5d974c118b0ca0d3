// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import java.util.List;
import java.util.Map;

/**
 * Rules that Prometheus evaluates one after another. Immutable.
 *
 * @param name as Prometheus shows it
 * @param records recording rules, by the names of the series that they make, evaluated first
 */
public record AlertGroup(String name, Map<String, String> records, List<Alert> alerts) {
  /** A group without recording rules, whose alerts have their sections on one page. */
  static AlertGroup of(String name, String page, List<Alert> alerts) {
    return of(name, page, Map.of(), alerts);
  }

  static AlertGroup of(String name, String page, Map<String, String> records, List<Alert> alerts) {
    return new AlertGroup(
        "exaplane-" + name,
        records,
        alerts.stream().map(alert -> alert.on(page).mustBeWhole()).toList());
  }
}
