// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Why CEL rules that are newer than the last release take nothing away: a list in a file, each with
 * kind, field, rule and reason. A release empties it. Used by one thread.
 */
final class RuleReasons {
  static final String FILE = "crds/released/rules.yaml";

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private record Entry(String kind, String field, String rule) {}

  private final List<Entry> entries = new ArrayList<>();
  private final Set<Integer> asked = new TreeSet<>();

  private RuleReasons() {}

  static RuleReasons none() {
    return new RuleReasons();
  }

  /** Reads the file; without it there are no reasons. */
  static RuleReasons read(Path file) throws IOException {
    return Files.exists(file) ? of(Files.readString(file)) : none();
  }

  static RuleReasons of(String yaml) throws IOException {
    RuleReasons reasons = none();
    for (JsonNode each : YAML.readTree(yaml).path("rules")) {
      if (each.path("reason").asText().split(" ").length < 4) {
        throw new IllegalArgumentException(
            FILE + ": " + each + " needs a reason of a sentence; write why nobody loses anything");
      }
      reasons.entries.add(
          new Entry(
              each.path("kind").asText(), each.path("field").asText(), each.path("rule").asText()));
    }
    return reasons;
  }

  /** Whether a reason is given for this rule. */
  boolean allow(String kind, String field, String rule) {
    int found = entries.indexOf(new Entry(kind, field, rule));
    if (found >= 0) {
      asked.add(found);
    }
    return found >= 0;
  }

  /** Entries that no rule needs: of rules that are gone, or that the release has. */
  List<String> unused() {
    List<String> unused = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      if (!asked.contains(i)) {
        unused.add(entries.get(i) + ": no new rule is this one; take the entry out of " + FILE);
      }
    }
    return unused;
  }
}
