// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Condition;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether a condition that is not good names the next action, as docs/style.md asks. Every
 * condition that a test sets is held to it, by an assertion. Pure.
 */
public final class NextAction {
  /** True is not good. */
  private static final Set<String> BAD_WHEN_TRUE =
      Set.of(
          "Progressing", "Degraded", "Deleting", "OperatorUpdatePending", "Stalled", "Reconciling");

  /** Words of an imperative, or that none is needed. */
  private static final Pattern NAMED =
      Pattern.compile(
          "No action is needed|This is normal|\\bThe operator"
              + " (retries|continues|removes|creates)|'(kubectl|\\./exa) "
              + "|\\b(accept|add|allow|annotate|apply|bring|change|check|choose|correct|create|delete|free|give|grant|install|label|lower|make"
              + " room|omit|put|raise|reduce|remove|rename|report"
              + "|repair|replace|restart|restore|see|set|shorten|stop|take|uncordon|update|upgrade"
              + "|use|wait|write)\\b",
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
