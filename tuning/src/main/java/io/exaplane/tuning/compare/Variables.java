// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Variables of units and shell scripts, whose values hold flags: kubeadm's unit runs 'kubelet
 * $KUBELET_CONFIG_ARGS'. A line that assigns what is used nowhere stays as it is.
 */
final class Variables {
  private static final Pattern UNIT = Pattern.compile("\\s*Environment=.*");
  private static final Pattern PAIR =
      Pattern.compile(
          "\"(\\w+)=([^\"]*)\"|'(\\w+)=([^']*)'|(?<=[\\s=])(?!Environment=)([A-Za-z_]\\w*)=(\"[^\"]*\"|'[^']*'|\\S*)");

  private static final Pattern ASSIGNMENT =
      Pattern.compile(
          "\\s*(?:(?:export|readonly)\\s+)?([A-Za-z_]\\w*)=(\"[^\"]*\"|'[^']*'|[^\\s\"']*)\\s*(?:#.*)?");

  private static final Pattern USE =
      Pattern.compile("\\$(?:\\{([A-Za-z_]\\w*)\\}|([A-Za-z_]\\w*))");

  private final Set<String> used = new HashSet<>();
  private final Map<String, String> values = new HashMap<>();

  private Variables() {}

  /** The text with the values of its variables; what it does not assign stays as it is. */
  static String expanded(String text) {
    if (text.indexOf('$') < 0) {
      return text;
    }
    Variables variables = new Variables();
    USE.matcher(text).results().forEach(use -> variables.used.add(name(use)));
    List<String> lines = new ArrayList<>();
    for (String line : text.split("\\R", -1)) {
      lines.add(variables.withoutAssignments(line));
    }
    return String.join("\n", lines.stream().map(variables::filledIn).toList());
  }

  /** Names of variables in a word that have no value in the text. */
  static List<String> unknown(List<String> words) {
    return words.stream()
        .flatMap(word -> USE.matcher(word).results())
        .map(use -> "$" + name(use))
        .distinct()
        .toList();
  }

  private static String name(MatchResult use) {
    return use.group(1) == null ? use.group(2) : use.group(1);
  }

  private String withoutAssignments(String line) {
    if (UNIT.matcher(line).matches()) {
      return PAIR.matcher(line)
          .replaceAll(pair -> Matcher.quoteReplacement(assigned(pair) ? "" : pair.group()));
    }
    Matcher assignment = ASSIGNMENT.matcher(line);
    boolean known = assignment.matches() && used.contains(assignment.group(1));
    if (known) {
      put(assignment.group(1), assignment.group(2));
    }
    return known ? "" : line;
  }

  private boolean assigned(MatchResult pair) {
    for (int group = 1; group <= pair.groupCount(); group += 2) {
      if (pair.group(group) != null && used.contains(pair.group(group))) {
        put(pair.group(group), pair.group(group + 1));
        return true;
      }
    }
    return false;
  }

  /** A value may have the one before in it. */
  private void put(String name, String value) {
    values.put(name, filledIn(value.replaceAll("^[\"']|[\"']$", "")));
  }

  private String filledIn(String text) {
    return USE.matcher(text)
        .replaceAll(use -> Matcher.quoteReplacement(values.getOrDefault(name(use), use.group())));
  }
}
