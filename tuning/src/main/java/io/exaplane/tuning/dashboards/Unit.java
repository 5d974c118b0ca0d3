// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

/** What the values of a panel are counted in, by the names that Grafana has for units. */
public enum Unit {
  COUNT("short"),
  CORES("suffix: cores"),
  REQUESTS_PER_SECOND("reqps"),
  WRITES_PER_SECOND("wps"),
  EVENTS_PER_SECOND("suffix: events/s"),
  PODS_PER_SECOND("suffix: pods/s"),
  OBJECTS_PER_SECOND("suffix: objects/s"),
  BYTES("bytes"),
  BYTES_PER_SECOND("binBps"),
  SECONDS("s"),
  SHARE("percentunit"),
  PERCENT("percent"),
  YES_OR_NO("bool_yes_no");

  private final String grafana;

  Unit(String grafana) {
    this.grafana = grafana;
  }

  /** As a dashboard has it. */
  public String grafana() {
    return grafana;
  }
}
