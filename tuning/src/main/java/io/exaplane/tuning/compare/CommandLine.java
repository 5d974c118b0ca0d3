// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The command line of a container: behind wrappers such as timeout or a shell, whose script names
 * programs, paths and words of its own.
 *
 * @param component the name of the program; null if no word is that of a component
 * @param words of the program; all if it is not known
 */
record CommandLine(String component, List<String> words) {
  private static final Set<String> ENDS =
      Set.of("|", "||", "&&", "&", ";", "2>&1", ">", ">>", "fi");

  /** Of a container's command and arguments. */
  static CommandLine of(List<String> command) {
    List<String> words = new ArrayList<>();
    int script = -1;
    for (String word : command) {
      if (isScript(word)) {
        script = script < 0 ? words.size() : script;
        words.addAll(Arguments.words(word.replaceAll("\\\\\\s*\\R", " ")));
      } else {
        words.add(word);
      }
    }
    int program = program(words);
    if (program < 0) {
      // A script names what it copies or waits for; what is executed is the first word.
      String first = script != 0 && !words.isEmpty() ? Running.binary(words.getFirst()) : null;
      return new CommandLine(first, List.copyOf(words));
    }
    int end = program + 1;
    while (end < words.size()
        && !(script >= 0 && program >= script && ENDS.contains(words.get(end)))) {
      end++;
    }
    return new CommandLine(
        Running.binary(words.get(program)), List.copyOf(words.subList(program + 1, end)));
  }

  /** Where the last component's name stands that has flags behind it; -1 if none has. */
  private static int program(List<String> words) {
    int program = -1;
    for (int i = 0; i + 1 < words.size(); i++) {
      boolean isValue =
          i > 0 && words.get(i - 1).startsWith("-") && words.get(i - 1).indexOf('=') < 0;
      if (Running.binary(words.get(i)) != null
          && words.get(i + 1).startsWith("-")
          && (!isValue || words.get(i - 1).equals("--"))) {
        program = i;
      }
    }
    return program;
  }

  /** What a shell is given with -c is a script in one word. */
  private static boolean isScript(String word) {
    return !word.startsWith("-")
        && word.contains(" ")
        && Arguments.words(word).stream().anyMatch(one -> Running.binary(one) != null);
  }
}
