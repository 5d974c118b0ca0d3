// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of the Helm chart, of which values.yaml, values.schema.json and the table in README
 * are written. Defaults come from the operator's manifests and settings.
 */
final class ChartValues {
  private static final Path CONFIG =
      Deliverables.ROOT.resolve("operator/src/main/java/io/exaplane/operator/config");

  private ChartValues() {}

  /**
   * A value.
   *
   * @param path as {@code images.store}
   * @param standard its default
   * @param description for people; the first sentence says what it does
   * @param schema without the description
   */
  record Value(String path, JsonNode standard, String description, ObjectNode schema) {}

  static List<Value> of(List<ObjectNode> operator) throws IOException {
    JsonNode deployment = OperatorObjects.deployment(operator);
    List<Value> values = new ArrayList<>();
    values.add(
        new Value(
            "replicas",
            deployment.at("/spec/replicas"),
            "Number of operators, from 1 to 5. One leads, and the others stand by.",
            schema("{type: integer, minimum: 1, maximum: 5}")));
    addImages(values, operator);
    addControlPlanes(values);
    values.add(
        new Value(
            "crds.install",
            json("true"),
            "Whether the release installs and upgrades the API types (CustomResourceDefinitions)."
                + " 'helm uninstall' keeps them in any case. Set false if something else installs"
                + " them.",
            schema("{type: boolean}")));
    values.add(
        new Value(
            "console.enabled",
            json(setting("ConsoleConfig", "enabled")),
            "Whether the operators serve the console at port 8443, with TLS, and the release has a"
                + " Service for it. The console shows each user the ControlPlanes that they may"
                + " list.",
            schema("{type: boolean}")));
    addMonitoring(values);
    values.add(
        new Value(
            "resources",
            deployment.at("/spec/template/spec/containers/0/resources"),
            "Requests and limits of an operator, as in a pod. Java uses half of the memory limit. "
                + "1Gi carries about a thousand control planes.",
            schema(
                "{type: object, additionalProperties: false, properties: "
                    + "{requests: AMOUNTS, limits: AMOUNTS}}"
                        .replace(
                            "AMOUNTS",
                            "{type: object, additionalProperties: {type: [string, number]}}"))));
    values.add(
        new Value(
            "nodeSelector",
            json("{}"),
            "Labels that a node needs, as in a pod. Example: {node-role.kubernetes.io/infra:"
                + " \"\"}.",
            schema("{type: object, additionalProperties: {type: string}}")));
    values.add(
        new Value(
            "tolerations",
            json("[]"),
            "Taints that the operators tolerate, as in a pod. Example: [{key: infra, operator:"
                + " Exists}].",
            schema(
                "{type: array, items: {type: object, additionalProperties: false, properties: {key:"
                    + " {type: string}, value: {type: string}, tolerationSeconds: {type: integer},"
                    + " operator: {type: string, enum: [Exists, Equal, Lt, Gt]}, effect: {type:"
                    + " string, enum: [NoSchedule, PreferNoSchedule, NoExecute]}}}}")));
    return values;
  }

  private static void addImages(List<Value> values, List<ObjectNode> operator) throws IOException {
    Map<String, String> uses =
        Map.of(
            "operator", "Image of the operator, and of the step in which components wait.",
            "store", "Image of stores.",
            "scheduler", "Image of the processes of SchedulerPools.");
    for (Map.Entry<String, String> image : OperatorObjects.images(operator).entrySet()) {
      values.add(
          new Value(
              "images." + image.getKey(),
              json("\"" + image.getValue() + "\""),
              uses.get(image.getKey())
                  + " Write a full name with a tag or a digest. Example:"
                  + " registry.example.org/exaplane/"
                  + image.getKey()
                  + ":0.1.0.",
              schema("{type: string, minLength: 1}")));
    }
    values.add(
        new Value(
            "imagePullSecrets",
            json("[]"),
            "Secrets in the release's namespace by which the operators' image is pulled. Example:"
                + " [{name: registry}].",
            schema(
                "{type: array, items: {type: object, additionalProperties: false, required: [name],"
                    + " properties: {name: {type: string, minLength: 1}}}}")));
  }

  private static void addControlPlanes(List<Value> values) throws IOException {
    values.add(
        new Value(
            "controlPlanes.images.registry",
            json("\"" + setting("OperatorConfig", "imageRegistry") + "\""),
            "Registry of the images of Kubernetes and etcd, unless spec.images.registry of a"
                + " ControlPlane names one.",
            schema("{type: string, minLength: 1}")));
    values.add(
        new Value(
            "controlPlanes.images.pullSecret",
            json("\"\""),
            "Secret by which images are pulled, in the namespace of each ControlPlane, unless"
                + " spec.images.pullSecret names one. Empty: none.",
            schema("{type: string, maxLength: 253}")));
    values.add(
        new Value(
            "fleet.maxConcurrentRollouts",
            json(setting("FleetConfig", "maxConcurrentRollouts")),
            "Number of control planes that replace pods at the same time, at most. The others"
                + " wait.",
            schema("{type: integer, minimum: 1}")));
    values.add(
        new Value(
            "fleet.rolloutLimit",
            json("\"" + setting("FleetConfig", "rolloutLimit") + "\""),
            "Time after which a rollout counts no longer among these, as a number with s, m or h.",
            schema("{type: string, minLength: 2}")));
  }

  /** All off: a cluster without the operator of Prometheus refuses a PodMonitor. */
  private static void addMonitoring(List<Value> values) throws IOException {
    String labels = "{type: object, additionalProperties: {type: string}}";
    values.add(
        new Value(
            "monitoring.podMonitors.enabled",
            json("false"),
            "Whether the release has PodMonitors for the operator, all stores and all"
                + " SchedulerPools. They need the operator of Prometheus. Those of control planes"
                + " are printed by 'exactl monitors'.",
            schema("{type: boolean}")));
    values.add(
        new Value(
            "monitoring.podMonitors.useServices",
            json("false"),
            "Whether the operator and stores have ServiceMonitors instead of PodMonitors. Set true"
                + " if your Prometheus selects ServiceMonitors. SchedulerPools have PodMonitors in"
                + " any case.",
            schema("{type: boolean}")));
    values.add(
        new Value(
            "monitoring.podMonitors.labels",
            json("{}"),
            "Labels by which your Prometheus selects PodMonitors and ServiceMonitors. Example:"
                + " {release: prometheus}.",
            schema(labels)));
    values.add(
        new Value(
            "monitoring.podMonitors.interval",
            json("\"30s\""),
            "Time between two readings, as a number with ms, s or m.",
            schema("{type: string, minLength: 2}")));
    values.add(
        new Value(
            "monitoring.dashboards.enabled",
            json("false"),
            "Whether the release has a ConfigMap for each dashboard, as Grafana's sidecar reads"
                + " them.",
            schema("{type: boolean}")));
    values.add(
        new Value(
            "monitoring.dashboards.labels",
            json("{grafana_dashboard: \"1\"}"),
            "Labels by which Grafana's sidecar finds dashboards.",
            schema(labels)));
  }

  /** The default of a setting, as the operator has it. */
  static String setting(String type, String method) throws IOException {
    String source = Files.readString(CONFIG.resolve(type + ".java"));
    Matcher found =
        Pattern.compile("@WithDefault\\(\"([^\"]+)\"\\)\\s+\\S+ " + method + "\\(\\);")
            .matcher(source);
    if (!found.find()) {
      throw new IllegalStateException(
          "%s.%s has no @WithDefault; change ChartValues with it".formatted(type, method));
    }
    return found.group(1);
  }

  /** The text of values.yaml. */
  static String yaml(List<Value> values) throws IOException {
    StringBuilder text =
        new StringBuilder("# Generated: './exa generate' writes this file from ChartValues.\n");
    List<String> open = List.of();
    for (Value value : values) {
      List<String> path = List.of(value.path().split("\\."));
      int common = 0;
      while (common < path.size() - 1
          && common < open.size() - 1
          && path.get(common).equals(open.get(common))) {
        common++;
      }
      for (int depth = common; depth < path.size() - 1; depth++) {
        text.append(depth == 0 ? "\n" : "").append("  ".repeat(depth));
        text.append(path.get(depth)).append(":\n");
      }
      String indent = "  ".repeat(path.size() - 1);
      text.append(path.size() == 1 ? "\n" : "");
      wrap(value.description(), 100)
          .forEach(line -> text.append(indent).append("# ").append(line).append('\n'));
      text.append(indent).append(path.getLast()).append(':');
      text.append(standard(value.standard(), indent)).append('\n');
      open = path;
    }
    return text.toString();
  }

  private static String standard(JsonNode value, String indent) throws IOException {
    if (value.isContainerNode() && !value.isEmpty()) {
      String block = Deliverables.YAML.writeValueAsString(value).stripTrailing();
      return "\n" + block.indent(indent.length() + 2).stripTrailing();
    }
    return " " + (value.isTextual() ? '"' + value.asText() + '"' : value.toString());
  }

  private static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** The text of values.schema.json. */
  static String schema(List<Value> values) {
    ObjectNode root = Deliverables.YAML.createObjectNode();
    root.put("$schema", "http://json-schema.org/draft-07/schema#");
    root.put("title", "Values of the chart exaplane");
    root.put("type", "object");
    root.put("additionalProperties", false);
    for (Value value : values) {
      ObjectNode at = root;
      String[] path = value.path().split("\\.");
      for (int i = 0; i < path.length - 1; i++) {
        require(at, path[i]);
        at = at.withObject("/properties/" + path[i]);
        at.put("type", "object");
        at.put("additionalProperties", false);
      }
      require(at, path[path.length - 1]);
      ObjectNode leaf = at.withObject("/properties/" + path[path.length - 1]);
      leaf.put("description", value.description());
      leaf.setAll(value.schema());
      leaf.set("default", value.standard());
    }
    // Helm gives this to every chart that is a part of another one.
    root.withObject("/properties/global").put("type", "object");
    return root.toPrettyString() + "\n";
  }

  /** A value that is set to null is missing. */
  private static void require(ObjectNode object, String field) {
    ArrayNode required = object.withArray("/required");
    if (!Deliverables.YAML.convertValue(required, List.class).contains(field)) {
      required.add(field);
    }
  }

  /** The table of README.md. */
  static String table(List<Value> values) {
    StringBuilder text = new StringBuilder("| value | default | meaning |\n|---|---|---|\n");
    for (Value value : values) {
      text.append(
          "| `%s` | `%s` | %s |\n"
              .formatted(
                  value.path(),
                  value.standard().isTextual() && value.standard().asText().isEmpty()
                      ? "\"\""
                      : value.standard().isTextual()
                          ? value.standard().asText()
                          : value.standard().toString(),
                  value.description().replace("|", "\\|")));
    }
    return text.toString();
  }

  private static ObjectNode schema(String yaml) throws IOException {
    return (ObjectNode) json(yaml);
  }

  private static JsonNode json(String yaml) throws IOException {
    return Deliverables.YAML.readTree(yaml);
  }
}
