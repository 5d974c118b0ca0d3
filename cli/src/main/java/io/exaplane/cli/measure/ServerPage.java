// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a kube-apiserver's {@code /metrics} say of its clients, in sums since its start. Names are
 * those of 1.30 to 1.37. Immutable.
 *
 * @param requests by "VERB resource", without those of the server itself and those of no resource
 * @param watches open ones by resource, those of the server itself among them
 * @param events sent to watches, by resource
 * @param store requests to the stores, by operation and resource
 * @param nodes that exist
 */
record ServerPage(
    Map<String, Double> requests,
    Map<String, Double> watches,
    Map<String, Double> events,
    Map<String, Double> store,
    double nodes,
    ServerFigures figures) {
  private static final Pattern LINE =
      Pattern.compile("([a-z_]+)\\{([^}]*)\\} ([0-9.eE+-]+)(?: \\d+)?");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** Reads a page in Prometheus' text format. */
  static ServerPage parse(String text) {
    Map<String, Double> requests = new TreeMap<>();
    Map<String, Double> watches = new TreeMap<>();
    Map<String, Double> events = new TreeMap<>();
    Map<String, Double> store = new TreeMap<>();
    double[] nodes = {0};
    text.lines()
        .forEach(
            line -> {
              Matcher matcher = LINE.matcher(line);
              if (!matcher.matches()) {
                return;
              }
              double value = Double.parseDouble(matcher.group(3));
              Map<String, String> labels = labels(matcher.group(2));
              String resource = resource(labels);
              switch (matcher.group(1)) {
                case "apiserver_request_total" -> add(requests, labels, resource, value);
                case "apiserver_selfrequest_total" -> add(requests, labels, resource, -value);
                case "apiserver_longrunning_requests" -> {
                  if ("WATCH".equals(labels.get("verb"))) {
                    watches.merge(resource, value, Double::sum);
                  }
                }
                case "apiserver_watch_events_total" -> events.merge(resource, value, Double::sum);
                case "etcd_requests_total" ->
                    store.merge(labels.get("operation") + " " + resource, value, Double::sum);
                case "apiserver_resource_objects", "apiserver_storage_objects" -> {
                  if (resource.equals("nodes")) {
                    nodes[0] = Math.max(nodes[0], value);
                  }
                }
                default -> {
                  // Nothing of clients.
                }
              }
            });
    return new ServerPage(requests, watches, events, store, nodes[0], ServerFigures.parse(text));
  }

  private static void add(
      Map<String, Double> into, Map<String, String> labels, String resource, double value) {
    if (!resource.isEmpty()) {
      into.merge(labels.get("verb") + " " + resource, value, Double::sum);
    }
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new HashMap<>();
    Matcher label = LABEL.matcher(text);
    while (label.find()) {
      labels.put(label.group(1), label.group(2));
    }
    return labels;
  }

  /** With its subresource; the kind in lower case where a server before 1.34 names only that. */
  private static String resource(Map<String, String> labels) {
    String resource = labels.getOrDefault("resource", labels.getOrDefault("kind", ""));
    String subresource = labels.getOrDefault("subresource", "");
    return subresource.isEmpty() ? resource : resource + "/" + subresource;
  }
}
