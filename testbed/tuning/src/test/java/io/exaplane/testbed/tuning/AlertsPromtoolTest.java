// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.cli.Exactl;
import io.exaplane.testbed.machine.Machine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promtool takes the rules of each version; each alert fires, and does not just below. */
class AlertsPromtoolTest {
  private static final List<String> VERSIONS = List.of("1.34", "1.36", "1.37");
  private static final String NEWEST = "1.37";
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String RULES = "rules.yaml";

  /** What the short words of cases.yaml stand for; a job with a 2 is of another pod. */
  private static final Map<String, String> JOBS =
      Map.of(
          "@op", "exaplane-operator",
          "@store", "exaplane-store",
          "@pool", "exaplane-scheduler",
          "@api", "exaplane-apiserver",
          "@kcm", "exaplane-controller-manager",
          "@sched", "exaplane-kube-scheduler");

  @TempDir private Path folder;

  /**
   * What promtool said of a rule with its cases, by the text of both: most are the same for several
   * versions, and so is the answer.
   */
  private final Map<String, String> said = new HashMap<>();

  @ParameterizedTest
  @ValueSource(strings = {"1.34", "1.35", "1.36", "1.37"})
  void rulesAreValid(String version) throws Exception {
    rules(version);
    assertThat(promtool("check", "rules", "--lint=all", "--lint-fatal", RULES)).isEmpty();
  }

  @Test
  void eachAlertHasItsCases() throws Exception {
    Set<String> alerts = new TreeSet<>();
    for (JsonNode group : rules(NEWEST).path("groups")) {
      group.path("rules").findValues("alert").forEach(name -> alerts.add(name.asText()));
    }
    Set<String> cases = new TreeSet<>();
    cases().fieldNames().forEachRemaining(cases::add);
    assertThat(cases).isEqualTo(alerts);
  }

  /** A test for each alert and version, so that a report counts and names them. */
  @TestFactory
  Stream<DynamicTest> firesAndStaysQuiet() {
    return VERSIONS.stream()
        .flatMap(
            version -> {
              Map<String, String> failures = failures(version);
              return failures.entrySet().stream()
                  .map(
                      each ->
                          DynamicTest.dynamicTest(
                              version + " " + each.getKey(),
                              () -> assertThat(each.getValue()).isEmpty()));
            });
  }

  /** All cases of a version that are new in one run of promtool, and what it says of each. */
  private Map<String, String> failures(String version) {
    try {
      JsonNode rules = rules(version);
      Map<String, String> texts = new LinkedHashMap<>();
      Map<String, String> files = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> each : cases().properties()) {
        String file = write(each.getKey(), each.getValue(), rules, version);
        String text =
            Files.readString(folder.resolve(each.getKey() + ".yaml"))
                + Files.readString(folder.resolve(file));
        texts.put(each.getKey(), text);
        if (!said.containsKey(text)) {
          files.put(text, file);
        }
      }
      ask(files);
      System.out.printf("%s: %d of %d cases are new%n", version, files.size(), texts.size());
      Map<String, String> failures = new LinkedHashMap<>();
      texts.forEach((alert, text) -> failures.put(alert, said.get(text)));
      return failures;
    } catch (Exception e) {
      throw new AssertionError("the cases of " + version + " cannot be given to promtool", e);
    }
  }

  /**
   * Lets promtool answer.
   *
   * @param files of cases, by the text of the rule and its cases
   */
  private void ask(Map<String, String> files) throws Exception {
    if (files.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(List.of("test", "rules"));
    command.addAll(files.values());
    String all = promtool(command.toArray(String[]::new));
    List<String> texts = List.copyOf(files.keySet());
    texts.forEach(text -> said.put(text, ""));
    // It says of one file after another: SUCCESS, or FAILED with the question and both answers.
    String[] ends = all.split("(?m)(?=^  (?:SUCCESS|FAILED))");
    for (int i = 0; i < texts.size() && !all.isEmpty(); i++) {
      assertThat(ends).as(all).hasSize(texts.size());
      said.put(texts.get(i), ends[i].strip().equals("SUCCESS") ? "" : ends[i]);
    }
  }

  /**
   * A file of tests of one alert, with a file of its rule alone: all of them would take minutes.
   */
  private String write(String alert, JsonNode given, JsonNode rules, String version)
      throws Exception {
    for (JsonNode group : rules.path("groups")) {
      List<JsonNode> own = new ArrayList<>();
      for (JsonNode rule : group.path("rules")) {
        if (rule.has("record") || rule.path("alert").asText().equals(alert)) {
          own.add(rule);
        }
      }
      if (!own.isEmpty() && own.getLast().has("alert")) {
        Map<String, Object> alone = Map.of("name", group.path("name").asText(), "rules", own);
        Files.writeString(
            folder.resolve(alert + ".yaml"),
            YAML.writeValueAsString(Map.of("groups", List.of(alone))));
      }
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("rule_files", List.of(alert + ".yaml"));
    document.put("evaluation_interval", given.path("step").asText("1m"));
    document.put(
        "tests",
        List.of(test(alert, given, "fires", version, 1), test(alert, given, "quiet", version, 0)));
    String file = alert + "-tests.yaml";
    Files.writeString(folder.resolve(file), YAML.writeValueAsString(document));
    return file;
  }

  private static Map<String, Object> test(
      String alert, JsonNode given, String part, String version, int firing) {
    String step = given.path("step").asText("1m");
    List<Map<String, Object>> series = new ArrayList<>();
    for (JsonNode one : given.path(part)) {
      String text = one.asText();
      if (text.contains("@cache") && !version.equals(NEWEST)) {
        continue;
      }
      int at = text.indexOf("} ") + 1;
      series.add(
          Map.of(
              "series",
              labelled(text.substring(0, at), version),
              "values",
              text.substring(at + 1)));
    }
    Map<String, Object> question = new LinkedHashMap<>();
    question.put(
        "expr",
        "count(ALERTS{alertname=\"%s\",alertstate=\"firing\"}) or vector(0)".formatted(alert));
    question.put("eval_time", given.path("after").asText());
    question.put("exp_samples", List.of(Map.of("labels", "{}", "value", firing)));
    Map<String, Object> test = new LinkedHashMap<>();
    test.put("name", alert + " " + part);
    test.put("interval", step);
    test.put("input_series", series);
    test.put("promql_expr_test", List.of(question));
    return test;
  }

  private static String labelled(String series, String version) {
    boolean isNew = version.equals(NEWEST);
    String text =
        series
            .replace("@pods", "group=\"\",resource=\"pods\"")
            .replace("@etcd", isNew ? ",storage=\"etcd\"" : "")
            .replace("@cache", ",storage=\"watchcache\"");
    for (Map.Entry<String, String> job : JOBS.entrySet()) {
      text = text.replace(job.getKey() + "2", scraped(job.getValue(), "p1"));
      text = text.replace(job.getKey(), scraped(job.getValue(), "p0"));
    }
    return text;
  }

  private static String scraped(String job, String pod) {
    return "job=\"%s\",namespace=\"ns\",controlplane=\"demo\",pod=\"%s\"".formatted(job, pod);
  }

  private static JsonNode cases() throws Exception {
    return YAML.readTree(AlertsPromtoolTest.class.getResourceAsStream("/alerts/cases.yaml"));
  }

  private JsonNode rules(String version) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Exactl.run(
            new PrintWriter(out),
            new PrintWriter(err),
            "alerts",
            "--kubernetes",
            version,
            "--output",
            "rules");
    assertThat(code).as(err.toString()).isZero();
    Files.writeString(folder.resolve(RULES), out.toString());
    return YAML.readTree(out.toString());
  }

  /** What promtool has to complain of; nothing if it has not. */
  private String promtool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Machine.environment("EXA_PROMTOOL")));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile())
            .start();
    return process.waitFor() == 0 ? "" : Files.readString(folder.resolve("said"));
  }
}
