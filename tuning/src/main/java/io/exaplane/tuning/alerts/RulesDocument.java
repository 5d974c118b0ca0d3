// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rules as Prometheus reads them: a file of rules, or an object of Prometheus' operator. Pure. */
public final class RulesDocument {
  /** The folder of the runbooks in this repository. */
  public static final String RUNBOOKS = "docs/runbooks/";

  private RulesDocument() {}

  /**
   * A file of rules.
   *
   * @param runbooks what links to runbooks begin with
   */
  public static Map<String, Object> file(List<AlertGroup> groups, String runbooks) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("groups", groups.stream().map(group -> group(group, runbooks)).toList());
    return document;
  }

  /** The same as an object of the Kind PrometheusRule. */
  public static Map<String, Object> object(List<AlertGroup> groups, String runbooks) {
    Map<String, Object> labels = new LinkedHashMap<>();
    labels.put("app.kubernetes.io/name", "exaplane");
    labels.put("app.kubernetes.io/component", "alerts");
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", "exaplane-alerts");
    metadata.put("labels", labels);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("apiVersion", "monitoring.coreos.com/v1");
    document.put("kind", "PrometheusRule");
    document.put("metadata", metadata);
    document.put("spec", file(groups, runbooks));
    return document;
  }

  private static Map<String, Object> group(AlertGroup group, String runbooks) {
    List<Map<String, Object>> rules = new ArrayList<>();
    group
        .records()
        .forEach(
            (name, promql) -> {
              Map<String, Object> rule = new LinkedHashMap<>();
              rule.put("record", name);
              rule.put("expr", promql);
              rules.add(rule);
            });
    group.alerts().forEach(alert -> rules.add(rule(alert, runbooks)));
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", group.name());
    document.put("rules", rules);
    return document;
  }

  private static Map<String, Object> rule(Alert alert, String runbooks) {
    Map<String, Object> annotations = new LinkedHashMap<>();
    annotations.put("summary", alert.summary());
    annotations.put("description", alert.action());
    annotations.put("basis", alert.basis());
    annotations.put("runbook_url", runbooks + alert.anchor());
    Map<String, Object> rule = new LinkedHashMap<>();
    rule.put("alert", alert.name());
    rule.put("expr", alert.expression());
    rule.put("for", alert.held());
    rule.put("labels", Map.of("severity", alert.severity().name().toLowerCase(Locale.ROOT)));
    rule.put("annotations", annotations);
    return rule;
  }
}
