// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.tuning.alerts.AlertRules;
import io.exaplane.tuning.dashboards.Dashboard;
import io.exaplane.tuning.dashboards.Dashboards;
import io.exaplane.tuning.dashboards.Grafana;
import io.exaplane.tuning.monitors.Monitors;
import io.exaplane.tuning.monitors.Target;
import io.exaplane.tuning.version.MinorVersion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the chart has for Prometheus and Grafana, if its values ask for it. */
final class ChartMonitoring {
  /** Words that stand for the values in objects; each is alone where YAML has it. */
  private static final String NAMESPACE = "HELM_NAMESPACE";

  private static final String INTERVAL = "HELM_INTERVAL";

  private ChartMonitoring() {}

  static Map<String, String> files(String version) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (Dashboard dashboard : Dashboards.of(MinorVersion.of(AlertRules.NEWEST))) {
      files.put(
          Chart.FOLDER + "/files/dashboards/" + dashboard.name() + ".json",
          Grafana.json(dashboard));
    }
    files.put(Chart.FOLDER + "/templates/generated/podmonitor.yaml", podMonitors(version));
    return files;
  }

  private static String podMonitors(String version) throws IOException {
    StringBuilder text =
        new StringBuilder(
            "{{- /* Generated from the tuning model: './exa generate' writes this file. */}}\n");
    text.append("{{- if .Values.monitoring.podMonitors.enabled }}\n");
    for (Target target : Target.ofFleet(NAMESPACE)) {
      List<Target> one = List.of(target);
      String byPods = written(Monitors.podMonitors(one, INTERVAL, NAMESPACE), version);
      if (target.hasService()) {
        text.append("{{- if .Values.monitoring.podMonitors.useServices }}\n")
            .append(written(Monitors.serviceMonitors(one, INTERVAL, NAMESPACE), version))
            .append("{{- else }}\n")
            .append(byPods)
            .append("{{- end }}\n");
      } else {
        text.append(byPods);
      }
    }
    return text.append("{{- end }}\n").toString();
  }

  private static String written(List<Map<String, Object>> monitors, String version)
      throws IOException {
    StringBuilder text = new StringBuilder();
    for (Map<String, Object> monitor : monitors) {
      ObjectNode object = Deliverables.YAML.valueToTree(monitor);
      object
          .withObject("/metadata/labels")
          .put("app.kubernetes.io/managed-by", "HELM_SERVICE")
          .put("helm.sh/chart", "exaplane-" + version)
          .put("HELM_LABELS", "x");
      text.append("---\n").append(Deliverables.YAML.writeValueAsString(object));
    }
    return text.toString()
        .replace(NAMESPACE, "{{ .Release.Namespace }}")
        .replace(INTERVAL, "{{ .Values.monitoring.podMonitors.interval | quote }}")
        .replace("HELM_SERVICE", "{{ .Release.Service }}")
        .replace(
            "    HELM_LABELS: x",
            "    {{- with .Values.monitoring.podMonitors.labels }}\n    {{- toYaml . | nindent 4 }}\n    {{- end }}");
  }
}
