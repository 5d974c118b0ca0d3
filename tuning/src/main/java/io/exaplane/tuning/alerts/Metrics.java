// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.version.MinorVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The metrics that exist: Exaplane's own by hand in {@code metrics.json}, which tests of each
 * module compare with what its processes show, and Kubernetes' in {@code kubernetes-metrics.json},
 * which {@code testbed/kube/metrics/generate} writes from the sources of each version. Alerts and
 * dashboards rest on no others. Immutable.
 */
public final class Metrics {
  /** What the scrape configuration of {@code monitors} gives to each series. */
  private static final Set<String> OF_SCRAPES = Set.of("job", "namespace", "controlplane", "pod");

  private static final List<String> PARTS = List.of("_bucket", "_count", "_sum");

  private final MinorVersion version;
  private final Map<String, Set<String>> labels;

  /** Histograms, and summaries without quantiles: only their parts are series. */
  private final Set<String> withParts;

  private Metrics(MinorVersion version, Map<String, Set<String>> labels, Set<String> withParts) {
    this.version = version;
    this.labels = labels;
    this.withParts = withParts;
  }

  /** Those that exist beside hosted clusters of a version. */
  public static Metrics of(MinorVersion version) {
    Map<String, Set<String>> labels = new TreeMap<>();
    Set<String> withParts = new HashSet<>();
    own().forEach(process -> process.properties().forEach(each -> add(each, labels, withParts)));
    read("kubernetes-metrics.json")
        .path(version.toString())
        .properties()
        .forEach(each -> add(each, labels, withParts));
    return new Metrics(version, labels, withParts);
  }

  private static void add(
      Map.Entry<String, JsonNode> metric, Map<String, Set<String>> labels, Set<String> withParts) {
    Set<String> known = labels.computeIfAbsent(metric.getKey(), _ -> new HashSet<>());
    for (String label : metric.getValue().path("labels").asText().split(" ")) {
      if (!label.isEmpty()) {
        known.add(label);
      }
    }
    if (Set.of("histogram", "timer").contains(metric.getValue().path("type").asText())) {
      withParts.add(metric.getKey());
    }
  }

  /** Exaplane's own, by process: {@code operator}, {@code store}, {@code scheduler}, and others. */
  private static JsonNode own() {
    return read("metrics.json");
  }

  private static JsonNode read(String file) {
    try (InputStream in = Metrics.class.getResourceAsStream(file)) {
      return new JsonMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " of this module cannot be read", e);
    }
  }

  /**
   * Everything that an expression of PromQL names exists.
   *
   * @param rule whose expression it is
   * @param recorded series that recording rules make
   * @throws IllegalStateException if a metric or a label does not
   */
  public void check(String rule, String promql, Set<String> recorded) {
    Expression expression = Expression.parse(promql);
    for (String name : expression.metrics().keySet()) {
      if (!recorded.contains(name)) {
        for (String label : expression.metrics().get(name)) {
          mustHave(rule, name, label);
        }
        mustHave(rule, name);
      }
    }
    for (String label : expression.groupings()) {
      boolean isKnown =
          expression.metrics().keySet().stream()
              .anyMatch(name -> recorded.contains(name) || has(name, label));
      if (!isKnown) {
        throw new IllegalStateException(rule + ": no metric of the rule has the label " + label);
      }
    }
  }

  /** Whether series of this name have a label. */
  boolean has(String name, String label) {
    return OF_SCRAPES.contains(label)
        || label.equals("le") && !metric(name).equals(name)
        || labels.getOrDefault(metric(name), Set.of()).contains(label);
  }

  /**
   * An alert rests on a metric.
   *
   * @throws IllegalStateException if it does not exist
   */
  void mustHave(String rule, String name) {
    boolean isPart = !metric(name).equals(name);
    if (!labels.containsKey(metric(name)) || !isPart && withParts.contains(name)) {
      throw new IllegalStateException(
          "%s: there is no metric %s beside Kubernetes %s".formatted(rule, name, version));
    }
  }

  /**
   * An alert rests on a label.
   *
   * @throws IllegalStateException if the metric does not have it
   */
  void mustHave(String rule, String name, String label) {
    if (!has(name, label)) {
      throw new IllegalStateException(
          "%s: the metric %s of Kubernetes %s has no label %s"
              .formatted(rule, name, version, label));
    }
  }

  /** The metric that a series belongs to: a histogram has several. */
  private String metric(String series) {
    return PARTS.stream()
        .filter(series::endsWith)
        .map(part -> series.substring(0, series.length() - part.length()))
        .filter(withParts::contains)
        .findFirst()
        .orElse(series);
  }
}
