// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.monitors;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Targets as Prometheus reads them: jobs of a configuration file, or objects of Prometheus'
 * operator. Both give series the same job and labels. Pure.
 */
public final class Monitors {
  /** The folder of tokens in a plain configuration. */
  public static final String TOKENS = "/etc/prometheus/";

  private static final String POD_LABEL = "__meta_kubernetes_pod_label_";

  private Monitors() {}

  /**
   * A part of Prometheus' configuration file.
   *
   * @param interval between scrapes, as Prometheus writes durations
   */
  public static Map<String, Object> scrapes(List<Target> targets, String interval) {
    List<Map<String, Object>> jobs = new ArrayList<>();
    for (Target target : targets) {
      jobs.add(job(target, interval));
    }
    return map("scrape_configs", jobs);
  }

  private static Map<String, Object> job(Target target, String interval) {
    Map<String, Object> discovery = map("role", "pod");
    if (!target.namespace().isEmpty()) {
      discovery.put("namespaces", map("names", List.of(target.namespace())));
    }
    // Names of jobs are unique in a file, and several control planes have one of each kind.
    String name =
        target.isHosted()
            ? target.job() + "-" + target.namespace() + "-" + plane(target)
            : target.job();
    Map<String, Object> job = map("job_name", name);
    job.put("scrape_interval", interval);
    job.put("metrics_path", target.path());
    if (target.isHosted()) {
      job.put("scheme", "https");
      job.put(
          "authorization",
          map(
              "credentials_file",
              TOKENS + target.namespace() + "-" + target.token().replace("-prometheus", "-token")));
      // Pods have no addresses in their certificates.
      job.put("tls_config", map("insecure_skip_verify", true));
    }
    job.put("kubernetes_sd_configs", List.of(discovery));
    List<Map<String, Object>> rules = new ArrayList<>();
    target
        .labels()
        .forEach(
            (label, value) ->
                rules.add(keep(POD_LABEL + label(label), value.isEmpty() ? ".+" : value)));
    rules.add(keep("__meta_kubernetes_pod_container_port_name", target.port()));
    rules.add(map("target_label", "job", "replacement", target.job()));
    rules.add(copy("__meta_kubernetes_namespace", "namespace"));
    rules.add(copy("__meta_kubernetes_pod_name", "pod"));
    if (!target.planeLabel().isEmpty()) {
      rules.add(copy(POD_LABEL + label(target.planeLabel()), "controlplane"));
    }
    job.put("relabel_configs", rules);
    return job;
  }

  private static String plane(Target target) {
    return target.labels().get(target.planeLabel());
  }

  private static Map<String, Object> keep(String source, String regex) {
    return map("source_labels", List.of(source), "regex", regex, "action", "keep");
  }

  private static Map<String, Object> copy(String source, String target) {
    return map("source_labels", List.of(source), "target_label", target);
  }

  /** As Prometheus has it in names of labels. */
  private static String label(String name) {
    return name.replaceAll("[^a-zA-Z0-9_]", "_");
  }

  /**
   * Objects of the Kind PodMonitor. Those of a control plane are in its namespace, beside the
   * Secret with the token.
   *
   * @param namespace of those of the whole fleet; empty where whoever applies them says it
   */
  public static List<Map<String, Object>> podMonitors(
      List<Target> targets, String interval, String namespace) {
    return targets.stream().map(target -> monitor(target, interval, namespace, false)).toList();
  }

  /**
   * The same for a Prometheus that selects ServiceMonitors: of the Kind ServiceMonitor where there
   * is a Service. Series have the same job and labels, and a label {@code service} besides.
   */
  public static List<Map<String, Object>> serviceMonitors(
      List<Target> targets, String interval, String namespace) {
    return targets.stream()
        .map(target -> monitor(target, interval, namespace, target.hasService()))
        .toList();
  }

  private static Map<String, Object> monitor(
      Target target, String interval, String namespace, boolean byService) {
    Map<String, Object> labels = map("app.kubernetes.io/name", "exaplane");
    labels.put("app.kubernetes.io/component", "monitors");
    Map<String, Object> metadata = new LinkedHashMap<>();
    if (target.isHosted()) {
      metadata.put("name", plane(target) + "-" + target.job());
      metadata.put("namespace", target.namespace());
    } else {
      metadata.put("name", target.job());
      if (!namespace.isEmpty()) {
        metadata.put("namespace", namespace);
      }
    }
    metadata.put("labels", labels);
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put(
        "namespaceSelector",
        target.namespace().isEmpty()
            ? map("any", true)
            : map("matchNames", List.of(target.namespace())));
    List<Map<String, Object>> selectors = new ArrayList<>();
    target
        .labels()
        .forEach(
            (label, value) ->
                selectors.add(
                    value.isEmpty()
                        ? map("key", label, "operator", "Exists")
                        : map("key", label, "operator", "In", "values", List.of(value))));
    spec.put("selector", map("matchExpressions", selectors));
    spec.put(byService ? "endpoints" : "podMetricsEndpoints", List.of(endpoint(target, interval)));
    return map(
        "apiVersion",
        "monitoring.coreos.com/v1",
        "kind",
        byService ? "ServiceMonitor" : "PodMonitor",
        "metadata",
        metadata,
        "spec",
        spec);
  }

  /**
   * Prometheus' operator gives series their namespace and pod by itself, and knows the labels of
   * the pods behind a Service.
   */
  private static Map<String, Object> endpoint(Target target, String interval) {
    Map<String, Object> endpoint = map("port", target.port(), "path", target.path());
    endpoint.put("interval", interval);
    if (target.isHosted()) {
      endpoint.put("scheme", "https");
      endpoint.put(
          "authorization", map("credentials", map("name", target.token(), "key", "token")));
      endpoint.put("tlsConfig", map("insecureSkipVerify", true));
    }
    List<Map<String, Object>> rules = new ArrayList<>();
    rules.add(map("targetLabel", "job", "replacement", target.job()));
    if (!target.planeLabel().isEmpty()) {
      rules.add(
          map(
              "sourceLabels",
              List.of(POD_LABEL + label(target.planeLabel())),
              "targetLabel",
              "controlplane"));
    }
    endpoint.put("relabelings", rules);
    return endpoint;
  }

  /** A map of names and values by turns, in this order. */
  private static Map<String, Object> map(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
