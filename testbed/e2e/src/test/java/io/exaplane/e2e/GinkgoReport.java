// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** How tests of a suite of ginkgo came out, by their full names: "passed", "skipped", "failed"… */
record GinkgoReport(SortedMap<String, String> outcomes, Map<String, String> messages) {
  static final String NOT_THERE = "not there";

  /** What ginkgo wrote with {@code --ginkgo.json-report}, without tests that were not asked for. */
  static GinkgoReport read(Path json) throws IOException {
    GinkgoReport report = new GinkgoReport(new TreeMap<>(), new TreeMap<>());
    for (JsonNode suite : new ObjectMapper().readTree(json.toFile())) {
      suite.get("SpecReports").forEach(report::add);
    }
    return report;
  }

  private void add(JsonNode spec) {
    boolean asked =
        spec.path("NumAttempts").asInt() > 0 || !spec.path("State").asText().equals("skipped");
    if (!spec.path("LeafNodeType").asText().equals("It") || !asked) {
      return;
    }
    StringBuilder name = new StringBuilder();
    spec.get("ContainerHierarchyTexts").forEach(text -> name.append(text.asText()).append(' '));
    name.append(spec.get("LeafNodeText").asText());
    outcomes.put(name.toString(), spec.get("State").asText());
    messages.put(name.toString(), spec.path("Failure").path("Message").asText());
  }

  /** A list of lines, each an outcome, a space and a name; those that begin with # are remarks. */
  static GinkgoReport list(Path file) throws IOException {
    GinkgoReport list = new GinkgoReport(new TreeMap<>(), Map.of());
    for (String line : Files.readAllLines(file)) {
      if (!line.startsWith("#")) {
        int space = line.indexOf(' ');
        list.outcomes.put(line.substring(space + 1), line.substring(0, space));
      }
    }
    return list;
  }

  /** The names of this and another, each once. */
  Stream<String> and(GinkgoReport other) {
    return Stream.concat(outcomes.keySet().stream(), other.outcomes.keySet().stream())
        .distinct()
        .sorted();
  }

  String outcome(String name) {
    return outcomes.getOrDefault(name, NOT_THERE);
  }

  String message(String name) {
    return messages.getOrDefault(name, "");
  }
}
