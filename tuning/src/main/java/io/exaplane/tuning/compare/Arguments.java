// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import io.exaplane.tuning.model.InvalidInputException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A component's command line, as a process has it: from {@code /proc/PID/cmdline} (NUL between the
 * arguments), from a manifest's list or a shell script, one or more on a line.
 */
public final class Arguments {
  private static final String GATES = "feature-gates";

  /** As kube-apiserver logs its flags, and shell scripts write them. */
  private static final Pattern QUOTED_VALUE =
      Pattern.compile("--[\\w.-]+=(?:\"[^\"']*\"|'[^\"']*'),?");

  private static final Pattern VERBOSITY = Pattern.compile("-v=?(\\d+)");
  private static final Pattern ONE_DASH = Pattern.compile("-([a-z][a-z0-9-]{3,})=(.*)");

  private Arguments() {}

  /**
   * The flags and their values in the order of their last appearance; a flag without a value is
   * true. {@code --feature-gates} becomes an entry {@code feature-gates.NAME} for each gate.
   *
   * @throws InvalidInputException if nothing in it is a flag
   */
  public static Map<String, String> parse(String text) {
    Map<String, String> flags =
        of(text.indexOf('\0') >= 0 ? List.of(text.split("\0")) : words(text));
    if (flags.isEmpty()) {
      throw new InvalidInputException(
          "diff",
          text.strip().lines().findFirst().orElse(""),
          "contains no flag",
          "give a component's command line: /proc/PID/cmdline, or a file with flags such as"
              + " --max-requests-inflight=800");
    }
    return flags;
  }

  /** The flags of a command line's words. */
  static Map<String, String> of(List<String> words) {
    Map<String, String> flags = new LinkedHashMap<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (!word.startsWith("--")) {
        single(word, i + 1 < words.size() ? words.get(i + 1) : "", flags);
        continue;
      }
      int equals = word.indexOf('=');
      // As the components do.
      String name = word.substring(2, equals < 0 ? word.length() : equals).replace('_', '-');
      String value;
      if (equals >= 0) {
        value = word.substring(equals + 1);
      } else if (i + 1 < words.size() && isValue(words.get(i + 1))) {
        value = words.get(++i);
      } else {
        value = "true";
      }
      put(flags, name, value);
    }
    return flags;
  }

  /** The one short flag that components have, and long ones that lack a dash, which keep theirs. */
  private static void single(String word, String next, Map<String, String> flags) {
    Matcher verbosity = VERBOSITY.matcher(word);
    Matcher lacking = ONE_DASH.matcher(word);
    if (verbosity.matches()) {
      flags.put("v", verbosity.group(1));
    } else if (word.equals("-v") && next.matches("\\d+")) {
      flags.put("v", next);
    } else if (lacking.matches()) {
      flags.put("-" + lacking.group(1), lacking.group(2));
    }
  }

  /** Names of the flags whose value is the next word, which boolean flags never take. */
  static Set<String> apart(List<String> words) {
    Set<String> apart = new HashSet<>();
    for (int i = 0; i + 1 < words.size(); i++) {
      String word = words.get(i);
      if (word.startsWith("--") && word.indexOf('=') < 0 && isValue(words.get(i + 1))) {
        apart.add(word.substring(2).replace('_', '-'));
      }
    }
    return apart;
  }

  private static boolean isValue(String word) {
    return !word.startsWith("-") && !word.equals("\\");
  }

  private static void put(Map<String, String> flags, String name, String value) {
    if (!name.equals(GATES)) {
      flags.put(name, value);
      return;
    }
    for (String gate : value.split(",")) {
      int equals = gate.indexOf('=');
      String bare = equals < 0 ? gate : gate.substring(0, equals);
      if (!bare.isBlank()) {
        String plain = bare.substring(bare.indexOf(':') + 1).strip();
        flags.put(GATES + "." + plain, equals < 0 ? "" : gate.substring(equals + 1).strip());
      }
    }
  }

  /**
   * Words between white space, without comments, and without the quotes, dashes and commas of
   * lists.
   */
  static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    for (String line : text.split("\\R")) {
      String bareLine = line.replaceFirst("(^|\\s)#.*", "");
      for (String word : bareLine.split("\\s+|(?<=[\"']),(?=[\"'])")) {
        if (QUOTED_VALUE.matcher(word).matches()) {
          words.add(word.replaceFirst("[\"']", "").replaceFirst("[\"'],?$", ""));
          continue;
        }
        String bare = word.replaceAll("^[\"'\\[]+|[\"',;\\]]+$", "");
        if (!bare.isEmpty() && !bare.matches("-+")) {
          words.add(bare);
        }
      }
    }
    return words;
  }
}
