// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The table of rights in docs/kubectl-plugin.md. */
final class RightsTable {
  private static final Pattern ROW =
      Pattern.compile("^\\| `([^`]+)` \\| ([a-z][^|]*?) \\|([^|]*)\\|$");
  private static final Map<String, String> GROUPS =
      Map.of(
          "controlplanes", "exaplane.io",
          "storeshards", "exaplane.io",
          "schedulerpools", "exaplane.io",
          "nodepools", "exaplane.io",
          "controlplanetasks", "exaplane.io",
          "deployments", "apps",
          "statefulsets", "apps");

  private RightsTable() {}

  /** A right, as list pods. */
  record Right(String verb, String resource) {
    /** A right of the table. */
    static Right of(String text) {
      String[] words = text.strip().split(" ");
      return new Right(words[0], words[1]);
    }

    /** As a rule of a Role. */
    String rule() {
      String group = GROUPS.getOrDefault(resource, "");
      String plural = resource;
      if (resource.equals("pods.metrics.k8s.io")) {
        group = "metrics.k8s.io";
        plural = "pods";
      }
      return "{\"verbs\":[\"%s\"],\"apiGroups\":[\"%s\"],\"resources\":[\"%s\"]}"
          .formatted(verb, group, plural);
    }

    @Override
    public String toString() {
      return verb + " " + resource;
    }
  }

  /** A command and its rights. */
  record Row(String command, List<Right> needs, List<Right> more) {
    List<Right> all() {
      return Stream.concat(needs.stream(), more.stream()).toList();
    }

    List<Right> without(Right right) {
      return all().stream().filter(each -> !each.equals(right)).toList();
    }
  }

  /** The rows of the page. */
  static List<Row> read(Path page) throws IOException {
    List<Row> rows = new ArrayList<>();
    String text = Files.readString(page);
    int begin = text.indexOf("\n## Rights\n");
    for (String line : text.substring(begin, text.indexOf("\n## ", begin + 1)).split("\n")) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.add(new Row(row.group(1), rights(row.group(2)), rights(row.group(3))));
      }
    }
    return rows;
  }

  private static List<Right> rights(String cell) {
    return Stream.of(cell.split(",")).filter(each -> !each.isBlank()).map(Right::of).toList();
  }
}
