// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two support bundles beside each other. Pure.
 *
 * @param before when the first was made, as ISO 8601
 * @param after when the second was made
 * @param hours from the first to the second; below zero if the second is older
 * @param figures numbers that differ: counts, sizes, revisions
 * @param settings values of specs and of ConfigMaps that differ
 * @param state conditions and other words of statuses that differ
 * @param onlyBefore objects of the first alone, without pods
 * @param onlyAfter objects of the second alone, without pods
 */
public record Comparison(
    String before,
    String after,
    double hours,
    List<Figure> figures,
    List<Difference> settings,
    List<Difference> state,
    List<String> onlyBefore,
    List<String> onlyAfter) {

  /**
   * A number that differs.
   *
   * @param perHour its growth an hour between the two; null if the bundles have the same time
   */
  public record Figure(
      String object, String field, double before, double after, double change, Double perHour) {}

  /**
   * A value that differs.
   *
   * @param before null if there was none
   * @param after null if there is none
   */
  public record Difference(String object, String field, String before, String after) {}

  private static final double MS_OF_HOUR = 3.6e6;
  private static final String PODS = "pods/";
  private static final String COMPONENT = "app.kubernetes.io/component";
  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*");
  private static final Pattern EVENT = Pattern.compile("^\\S+ (\\S+) \\S+/\\S+ (\\w+): .*$");

  /** What the API server and controllers count for themselves. */
  private static final Set<String> BOOKKEEPING = Set.of("observedGeneration", "collisionCount");

  /** By which the elements of a list are told apart, in this order. */
  private static final List<String> NAMES = List.of("name", "type", "store", "key");

  /** Compares the first with the second. */
  public static Comparison of(ReportFile a, ReportFile b) {
    Map<String, String> settingsA = new TreeMap<>();
    Map<String, String> stateA = new TreeMap<>();
    Map<String, Double> figuresA = figures(a);
    collect(a, settingsA, stateA, figuresA);
    Map<String, String> settingsB = new TreeMap<>();
    Map<String, String> stateB = new TreeMap<>();
    Map<String, Double> figuresB = figures(b);
    collect(b, settingsB, stateB, figuresB);
    double hours = Duration.between(a.at(), b.at()).toMillis() / MS_OF_HOUR;
    Set<String> both = named(a);
    both.retainAll(named(b));
    return new Comparison(
        a.at().toString(),
        b.at().toString(),
        hours,
        figures(figuresA, figuresB, hours),
        differences(settingsA, settingsB, both),
        differences(stateA, stateB, both),
        without(named(a), both),
        without(named(b), both));
  }

  private static Set<String> named(ReportFile report) {
    Set<String> names = new TreeSet<>(report.objects().keySet());
    names.removeIf(name -> name.startsWith(PODS));
    return names;
  }

  private static List<String> without(Set<String> names, Set<String> both) {
    return names.stream().filter(name -> !both.contains(name)).toList();
  }

  /** Pods have other names each time: they are counted by component. */
  private static Map<String, Double> figures(ReportFile report) {
    Map<String, Double> figures = new TreeMap<>();
    report
        .objects()
        .forEach(
            (name, object) -> {
              String kind = name.substring(0, name.indexOf('/'));
              figures.merge(key("objects", kind), 1.0, Double::sum);
              if (name.startsWith(PODS)) {
                pod(figures, object);
              }
            });
    report
        .events()
        .lines()
        .map(EVENT::matcher)
        .filter(Matcher::matches)
        .forEach(
            line ->
                figures.merge(
                    key("events", line.group(1) + " " + line.group(2)), 1.0, Double::sum));
    return figures;
  }

  private static void pod(Map<String, Double> figures, JsonNode pod) {
    JsonNode labels = pod.at("/metadata/labels");
    String component = labels.path(COMPONENT).asText("other");
    double ready = 0;
    double restarts = 0;
    for (JsonNode container : pod.at("/status/containerStatuses")) {
      ready += container.path("ready").asBoolean() ? 1 : 0;
      restarts += container.path("restartCount").asDouble();
    }
    String object = "pods of " + component;
    figures.merge(key(object, "pods"), 1.0, Double::sum);
    figures.merge(key(object, "ready containers"), ready, Double::sum);
    figures.merge(key(object, "restarts"), restarts, Double::sum);
  }

  private static void collect(
      ReportFile report,
      Map<String, String> settings,
      Map<String, String> state,
      Map<String, Double> figures) {
    report
        .objects()
        .forEach(
            (name, object) -> {
              if (name.startsWith(PODS)) {
                return;
              }
              for (String part : List.of("spec", "data")) {
                leaves(
                    part,
                    object.path(part),
                    (field, value) -> settings.put(key(name, field), value.asText()));
              }
              JsonNode status = object.path("status");
              leaves(
                  "status",
                  status,
                  (field, value) -> {
                    if (value.isNumber()) {
                      figures.put(key(name, field), value.asDouble());
                    } else if (!TIME.matcher(value.asText()).matches()) {
                      state.put(key(name, field), value.asText());
                    }
                  });
            });
  }

  @FunctionalInterface
  private interface Leaf {
    void found(String field, JsonNode value);
  }

  private static void leaves(String field, JsonNode node, Leaf leaf) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              each -> {
                if (!BOOKKEEPING.contains(each.getKey())) {
                  leaves(field + "." + each.getKey(), each.getValue(), leaf);
                }
              });
    } else if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        leaves("%s[%s]".formatted(field, element(node.get(i), i)), node.get(i), leaf);
      }
    } else if (!node.isMissingNode() && !node.isNull()) {
      leaf.found(field, node);
    }
  }

  private static String element(JsonNode element, int index) {
    return NAMES.stream()
        .map(element::path)
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .findFirst()
        .orElse(Integer.toString(index));
  }

  private static String key(String object, String field) {
    return object + "\t" + field;
  }

  private static List<Figure> figures(Map<String, Double> a, Map<String, Double> b, double hours) {
    List<Figure> all = new ArrayList<>();
    for (String key : keys(a, b)) {
      double before = a.getOrDefault(key, 0.0);
      double after = b.getOrDefault(key, 0.0);
      if (before != after) {
        String[] names = key.split("\t", 2);
        all.add(
            new Figure(
                names[0],
                names[1],
                before,
                after,
                after - before,
                hours == 0 ? null : (after - before) / hours));
      }
    }
    return List.copyOf(all);
  }

  /** Objects of one of the two are named as a whole. */
  private static List<Difference> differences(
      Map<String, String> a, Map<String, String> b, Set<String> both) {
    List<Difference> all = new ArrayList<>();
    for (String key : keys(a, b)) {
      String before = a.get(key);
      String after = b.get(key);
      String[] names = key.split("\t", 2);
      if (both.contains(names[0]) && (before == null || !before.equals(after))) {
        all.add(new Difference(names[0], names[1], before, after));
      }
    }
    return List.copyOf(all);
  }

  private static Set<String> keys(Map<String, ?> a, Map<String, ?> b) {
    Set<String> keys = new TreeSet<>(a.keySet());
    keys.addAll(b.keySet());
    return keys;
  }
}
