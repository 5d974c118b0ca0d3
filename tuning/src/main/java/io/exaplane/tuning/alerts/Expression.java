// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in an expression of PromQL, as far as the rules of this room use the language: whether
 * it can be evaluated is promtool's to say. Immutable.
 *
 * @param metrics each metric, and the labels by which it is selected
 * @param groupings the labels by which results are put together
 */
record Expression(Map<String, Set<String>> metrics, Set<String> groupings) {
  private static final Pattern TEXT = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|on|ignoring|without|group_left|group_right)\\s*\\(([^)]*)\\)");
  private static final Pattern OFFSET = Pattern.compile("\\boffset\\s+\\w+");
  private static final Pattern NUMBER = Pattern.compile("(?<![\\w:])\\d[\\w.+]*");
  private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)");
  private static final Pattern NAME = Pattern.compile("([a-zA-Z_:][\\w:]*)\\s*(\\{[^}]*})?");
  private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool");

  static Expression parse(String promql) {
    String bare = RANGE.matcher(TEXT.matcher(promql).replaceAll("\"\"")).replaceAll("");
    Set<String> groupings = new TreeSet<>();
    Matcher grouping = GROUPING.matcher(bare);
    while (grouping.find()) {
      for (String label : grouping.group(1).split(",")) {
        if (!label.isBlank()) {
          groupings.add(label.strip());
        }
      }
    }
    // What is left of an aggregation is its name before a parenthesis, as of a function.
    bare = GROUPING.matcher(bare).replaceAll("");
    bare = NUMBER.matcher(OFFSET.matcher(bare).replaceAll("")).replaceAll("");
    Map<String, Set<String>> metrics = new TreeMap<>();
    Matcher name = NAME.matcher(bare);
    while (name.find()) {
      boolean isCalled = bare.startsWith("(", skipBlanks(bare, name.end(1)));
      if (isCalled || WORDS.contains(name.group(1))) {
        continue;
      }
      Set<String> labels = metrics.computeIfAbsent(name.group(1), _ -> new TreeSet<>());
      Matcher label = LABEL.matcher(name.group(2) == null ? "" : name.group(2));
      while (label.find()) {
        labels.add(label.group(1));
      }
    }
    return new Expression(metrics, groupings);
  }

  private static int skipBlanks(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    return at;
  }
}
