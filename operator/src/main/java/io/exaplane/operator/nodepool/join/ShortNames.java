// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shell text in which functions and variables of several words have short names: a shell has one
 * space of names, so scripts write them long. Pure; any thread.
 */
final class ShortNames {
  private static final String WORDS = "[a-z][a-z0-9]*(?:_[a-z0-9]+)+";
  private static final Pattern DEFINED =
      Pattern.compile(
          "^(" + WORDS + ")\\(\\)|(?<![\\w./-])(" + WORDS + ")=(?!=)", Pattern.MULTILINE);

  /** Where a name may be that of a file, a sysctl, an option or a field of JSON. */
  private static final Pattern FOREIGN = Pattern.compile("[/.\"-](" + WORDS + ")(?!\\w)");

  private static final Pattern NAME = Pattern.compile("(?<!\\w)" + WORDS + "(?!\\w)");
  private static final Pattern SHORT = Pattern.compile("(?<!\\w)[a-z]{1,2}_(?!\\w)");
  private static final int LETTERS = 26;

  private ShortNames() {}

  /** The text; the names that it uses most are the shortest. */
  static String of(String script) {
    Map<String, Integer> uses = new HashMap<>();
    DEFINED
        .matcher(script)
        .results()
        .forEach(found -> uses.put(found.group(1) == null ? found.group(2) : found.group(1), 0));
    FOREIGN.matcher(script).results().forEach(found -> uses.remove(found.group(1)));
    Matcher names = NAME.matcher(script);
    while (names.find()) {
      uses.computeIfPresent(names.group(), (name, count) -> count + 1);
    }
    Map<String, String> made = made(uses, script);
    return NAME.matcher(script)
        .replaceAll(
            found -> Matcher.quoteReplacement(made.getOrDefault(found.group(), found.group())));
  }

  private static Map<String, String> made(Map<String, Integer> uses, String script) {
    Set<String> taken = new HashSet<>();
    SHORT.matcher(script).results().forEach(found -> taken.add(found.group()));
    List<String> order = new ArrayList<>(uses.keySet());
    order.sort(Comparator.comparing((String name) -> -uses.get(name)).thenComparing(name -> name));
    Map<String, String> made = new HashMap<>();
    int number = 0;
    for (String name : order) {
      String other = name(number++);
      while (taken.contains(other)) {
        other = name(number++);
      }
      made.put(name, other);
    }
    return made;
  }

  /** a_ to z_, then aa_ to zz_. */
  private static String name(int number) {
    String last = Character.toString('a' + number % LETTERS) + "_";
    return number < LETTERS ? last : Character.toString('a' + number / LETTERS - 1) + last;
  }
}
