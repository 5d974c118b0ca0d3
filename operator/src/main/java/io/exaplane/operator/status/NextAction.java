// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Condition;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether a condition that is not good names the next action, as docs/style.md asks: a command at
 * the beginning of a sentence. A verb anywhere else is none: "the controller that set the gate".
 * Every condition that a test sets is held to it, by an assertion. Pure.
 */
public final class NextAction {
  /** True is not good. */
  private static final Set<String> BAD_WHEN_TRUE =
      Set.of(
          "Progressing", "Degraded", "Deleting", "OperatorUpdatePending", "Stalled", "Reconciling");

  /** Verbs of commands to the reader. */
  private static final String VERBS =
      "accept|add|allow|annotate|apply|ask|bring|change|check|choose|correct|create|delete|detach"
          + "|do|download|drain|end|find|free|give|grant|increase|install|label|let|lower"
          + "|make|mark|move|name|omit|open|pause|put|raise|read|reduce|remove|rename|repair"
          + "|replace|report|restart|restore|resume|run|see|set|shorten|start|stop|take|try"
          + "|uncordon|update|upgrade|use|wait|write";

  /** Where a sentence begins, or its part behind a semicolon or colon. */
  private static final String BEGINNING = "(?:^|[.;:!?]['\")]*\\s+|\\n\\s*)";

  /** Words before the verb: "Then", or a whole clause such as "If this persists, ". */
  private static final String BEFORE =
      "(?:(?:then|first|or|and|also|otherwise|now)\\b,?\\s+)*"
          + "(?:(?:if|when|while|after|before|to|until|unless|without|for|in|on|with|once|where)\\b"
          + "(?:[^.;]|\\.\\S)*?,\\s+(?:then\\s+|first\\s+)?)?";

  /** A command at the beginning of a sentence, or that none is needed. */
  private static final Pattern NAMED =
      Pattern.compile(
          "No action is needed|This is normal|\\bThe operator"
              + " (?:retries|continues|removes|creates)|"
              + BEGINNING
              + BEFORE
              + "(?:"
              + VERBS
              + ")\\b",
          Pattern.CASE_INSENSITIVE);

  private NextAction() {}

  /** Whether the condition is good, or its message says what to do or that nothing is to do. */
  static boolean isGiven(String type, String status, String message) {
    return isGood(type, status) || NAMED.matcher(message).find();
  }

  /** What an assertion says. */
  static String missing(Object type, String message) {
    return "%s is not good and names no next action: %s".formatted(type, message);
  }

  /** Whether nobody needs to look at a condition. */
  public static boolean isGood(String type, String status) {
    return BAD_WHEN_TRUE.contains(type)
        ? status.equals(Condition.FALSE)
        : status.equals(Condition.TRUE);
  }
}
