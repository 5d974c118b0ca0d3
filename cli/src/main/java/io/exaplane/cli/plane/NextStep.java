// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a message asks its reader to do: docs/style.md has each name the next action. Pure. */
final class NextStep {
  private static final Pattern NOTHING =
      Pattern.compile("No action is needed|This is normal|\\bThe operator (retries|continues)");
  private static final Pattern IMPERATIVE =
      Pattern.compile(
          "^(?:(?:if|to|when|while|before|after|until|otherwise|for|unless|without)\\b.*?,\\s*)?(?:then |or |and )?"
              + "(?:accept|add|annotate|apply|ask|bring|change|check|choose|configure|correct|create|delete|follow"
              + "|free|give|grant|install|label|look|lower|make|name|omit|open|put|raise|read|reduce|remove|rename|repair"
              + "|replace|restart|restore|run|see|set|shorten|stop|take|uncordon|update|upgrade|use|wait|write)\\b.*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern ENDS = Pattern.compile("(?<=[.;])\\s+");

  private NextStep() {}

  /** The sentences that name an action; the whole message if none is found. */
  static String of(String message) {
    List<String> actions =
        Stream.of(ENDS.split(message))
            .filter(part -> !isNothing(part) && IMPERATIVE.matcher(part).matches())
            .map(NextStep::sentence)
            .toList();
    return actions.isEmpty() ? message : String.join(" ", actions);
  }

  /** Whether a message says that nobody has to act. */
  static boolean isNothing(String message) {
    return NOTHING.matcher(message).find();
  }

  private static String sentence(String part) {
    String bare = part.strip().replaceAll(";$", ".");
    String whole = bare.endsWith(".") ? bare : bare + ".";
    return Character.toUpperCase(whole.charAt(0)) + whole.substring(1);
  }
}
