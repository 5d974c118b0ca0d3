// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The generated files of the Helm chart: its description, values with their schema, README's table,
 * the CRDs, and a template for each Kind of the operator's objects. The rest of the chart (helpers,
 * notes, the test) is written by hand in its folder.
 */
final class Chart {
  static final String FOLDER = "config/helm/exaplane";
  private static final String TABLE_BEGINS = "<!-- Generated from ChartValues. -->\n";
  private static final String TABLE_ENDS = "<!-- The end of what is generated. -->\n";

  /** What users may leave out of a pod. */
  private static final String OPTIONAL_OF_POD =
      """
            {{- with .Values.imagePullSecrets }}
            imagePullSecrets: {{- toYaml . | nindent 8 }}
            {{- end }}
            {{- with .Values.nodeSelector }}
            nodeSelector: {{- toYaml . | nindent 8 }}
            {{- end }}
            {{- with .Values.tolerations }}
            tolerations: {{- toYaml . | nindent 8 }}
            {{- end }}
      """;

  private Chart() {}

  static Map<String, String> files(List<ObjectNode> operator, List<Crd> crds, JsonNode csv)
      throws IOException {
    List<ChartValues.Value> values = ChartValues.of(operator);
    Map<String, String> files = new TreeMap<>();
    files.put(FOLDER + "/Chart.yaml", chart(csv));
    files.put(FOLDER + "/values.yaml", ChartValues.yaml(values));
    files.put(FOLDER + "/values.schema.json", ChartValues.schema(values));
    files.put(FOLDER + "/README.md", readme(values));
    for (Crd crd : crds) {
      files.put(
          FOLDER + "/files/crds/" + crd.file(), crd.annotated("helm.sh/resource-policy", "keep"));
    }
    files.put(
        FOLDER + "/templates/generated/_sample.tpl",
        "{{- define \"exaplane.sampleVersion\" }}%s{{ end }}\n"
            .formatted(Csv.samples().at("/0/spec/version").asText()));
    Map<String, StringBuilder> templates = new TreeMap<>();
    for (ObjectNode object : operator) {
      String kind = object.get("kind").asText();
      if (!kind.equals("Namespace")) { // the release's, which Helm creates
        templates
            .computeIfAbsent(
                kind.toLowerCase(Locale.ROOT),
                _ ->
                    new StringBuilder(
                        "{{- /* Generated from the operator: './exa generate' writes this file."
                            + " */}}\n"))
            .append(template(object.deepCopy(), values, Csv.version(csv)));
      }
    }
    templates.forEach(
        (kind, text) ->
            files.put(FOLDER + "/templates/generated/" + kind + ".yaml", text.toString()));
    files.put(
        FOLDER + "/templates/generated/console.yaml", ConsoleObjects.template(Csv.version(csv)));
    files.putAll(ChartMonitoring.files(Csv.version(csv)));
    return files;
  }

  private static String chart(JsonNode csv) {
    return """
    # Generated: './exa generate' writes this file.
    apiVersion: v2
    name: exaplane
    description: The operator that runs the control planes of very large Kubernetes clusters
    type: application
    version: %1$s
    appVersion: %1$s
    kubeVersion: ">=%2$s-0"
    keywords: %3$s
    maintainers:
    - name: %4$s
      email: %5$s
    annotations:
      artifacthub.io/license: Apache-2.0
    """
        .formatted(
            Csv.version(csv),
            csv.at("/spec/minKubeVersion").asText(),
            csv.at("/spec/keywords"),
            csv.at("/spec/maintainers/0/name").asText(),
            csv.at("/spec/maintainers/0/email").asText());
  }

  /** The committed page with a new table. */
  private static String readme(List<ChartValues.Value> values) throws IOException {
    String page = Files.readString(Deliverables.ROOT.resolve(FOLDER + "/README.md"));
    int begin = page.indexOf(TABLE_BEGINS) + TABLE_BEGINS.length();
    int end = page.indexOf(TABLE_ENDS);
    if (begin < TABLE_BEGINS.length() || end < begin) {
      throw new IllegalStateException(
          FOLDER
              + "/README.md lacks the lines around the table; write them again: "
              + TABLE_BEGINS);
    }
    return page.substring(0, begin) + "\n" + ChartValues.table(values) + "\n" + page.substring(end);
  }

  private static String template(ObjectNode object, List<ChartValues.Value> values, String version)
      throws IOException {
    Expressions expressions = new Expressions();
    ObjectNode metadata = (ObjectNode) object.get("metadata");
    if (metadata.has("namespace")) {
      metadata.put("namespace", expressions.mark(".Release.Namespace"));
    }
    metadata
        .withObject("/labels")
        .put("app.kubernetes.io/managed-by", expressions.mark(".Release.Service"))
        .put("helm.sh/chart", "exaplane-" + version);
    for (JsonNode subject : object.path("subjects")) {
      ((ObjectNode) subject).put("namespace", expressions.mark(".Release.Namespace"));
    }
    String head = "";
    if (object.get("kind").asText().equals("Deployment")) {
      head = "{{- include \"exaplane.checks\" . }}\n";
      variable(object, expressions);
    }
    String text = expressions.write(object);
    text = text.replaceFirst("(?m)^ *OPTIONAL_OF_POD: x\n", literal(OPTIONAL_OF_POD));
    return "---\n"
        + head
        + text.replaceFirst("(?m)^ *- name: OPTIONAL_VARIABLES\n", literal(optional(values)));
  }

  private static String literal(String text) {
    return Matcher.quoteReplacement(text);
  }

  private static void variable(ObjectNode deployment, Expressions expressions) {
    ((ObjectNode) deployment.get("spec")).put("replicas", expressions.mark(".Values.replicas"));
    ObjectNode template = (ObjectNode) deployment.at("/spec/template");
    ObjectNode pod = Deliverables.YAML.createObjectNode().put("OPTIONAL_OF_POD", "x");
    pod.setAll((ObjectNode) template.get("spec"));
    template.set("spec", pod);
    ObjectNode container = (ObjectNode) pod.at("/containers/0");
    container.put("image", expressions.mark(".Values.images.operator | quote"));
    container.put(
        "imagePullPolicy",
        expressions.mark("include \"exaplane.pullPolicy\" .Values.images.operator"));
    container.put("resources", expressions.mark("- toYaml .Values.resources | nindent 10"));
    ArrayNode variables = Deliverables.YAML.createArrayNode();
    variables.addObject().put("name", "OPTIONAL_VARIABLES");
    for (JsonNode each : container.get("env")) {
      ObjectNode copy = each.deepCopy();
      String name = copy.get("name").asText();
      if (name.matches("EXAPLANE_[A-Z]+_IMAGE")) {
        String image = name.split("_")[1].toLowerCase(Locale.ROOT);
        copy.put("value", expressions.mark(".Values.images." + image + " | quote"));
      }
      variables.add(copy);
    }
    container.set("env", variables);
  }

  /** Settings of the operator that differ from its defaults. */
  private static String optional(List<ChartValues.Value> values) {
    Map<String, String> variables =
        Map.of(
            "console.enabled", "EXAPLANE_CONSOLE_ENABLED",
            "controlPlanes.images.registry", "EXAPLANE_IMAGE_REGISTRY",
            "controlPlanes.images.pullSecret", "EXAPLANE_IMAGE_PULL_SECRET",
            "fleet.maxConcurrentRollouts", "EXAPLANE_FLEET_MAX_CONCURRENT_ROLLOUTS",
            "fleet.rolloutLimit", "EXAPLANE_FLEET_ROLLOUT_LIMIT");
    StringBuilder text = new StringBuilder();
    for (ChartValues.Value value : values) {
      if (variables.containsKey(value.path())) {
        text.append(
            """
                    {{- if ne (toString .Values.%1$s) "%2$s" }}
                    - name: %3$s
                      value: {{ .Values.%1$s | quote }}
                    {{- end }}
            """
                .formatted(value.path(), value.standard().asText(), variables.get(value.path())));
      }
    }
    return text.toString();
  }

  /** Places in an object where Helm puts something, marked by words that YAML never quotes. */
  private static final class Expressions {
    private static final Pattern MARK = Pattern.compile("HELM_(\\d+)_");
    private final List<String> expressions = new ArrayList<>();

    /** A leading dash takes the space before the expression away. */
    String mark(String expression) {
      expressions.add(expression.startsWith("-") ? expression : " " + expression);
      return "HELM_" + (expressions.size() - 1) + "_";
    }

    String write(ObjectNode object) throws IOException {
      return MARK.matcher(Deliverables.YAML.writeValueAsString(object))
          .replaceAll(
              mark -> literal("{{" + expressions.get(Integer.parseInt(mark.group(1))) + " }}"));
    }
  }
}
