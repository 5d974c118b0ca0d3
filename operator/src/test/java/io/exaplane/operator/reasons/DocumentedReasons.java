// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.reasons;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.TaskCondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of reasons in docs/conditions.md: for each reason the conditions that have it. A cell
 * has the conditions of a ControlPlane first; those of another Kind follow behind a semicolon and
 * the Kind, as in {@code `Available`; StoreShard: `Ready`; an Event}. What is in parentheses is for
 * people. Immutable.
 */
record DocumentedReasons(Map<String, Set<String>> pairs) {
  /** What stands for a condition of a reason that an Event has. */
  static final String EVENT = "Event";

  private static final Path PAGE = Path.of("../docs/conditions.md");
  private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| ([^|]*) \\| [^|]*\\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  private static final Map<String, Class<? extends Enum<?>>> KINDS =
      Map.of(
          "StoreShard:",
          StoreCondition.class,
          "SchedulerPool:",
          PoolCondition.class,
          "NodePool:",
          NodePoolCondition.class,
          "ControlPlaneTask:",
          TaskCondition.class);

  static DocumentedReasons read() throws IOException {
    return of(Files.readString(PAGE));
  }

  static DocumentedReasons of(String page) {
    Map<String, Set<String>> pairs = new TreeMap<>();
    page.lines()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .forEach(row -> pairs.put(row.group(1), conditions(row.group(2))));
    return new DocumentedReasons(pairs);
  }

  private static Set<String> conditions(String cell) {
    Set<String> all = new TreeSet<>();
    for (String part : cell.replaceAll("\\([^)]*\\)", "").split(";")) {
      String words = part.strip();
      if (words.equals("an Event")) {
        all.add(EVENT);
        continue;
      }
      Class<? extends Enum<?>> kind =
          KINDS.getOrDefault(words.split(" ", 2)[0], ConditionType.class);
      Matcher name = NAME.matcher(words);
      while (name.find()) {
        all.add(kind.getSimpleName() + " " + name.group(1));
      }
    }
    return all;
  }
}
