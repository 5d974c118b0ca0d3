// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.operator.outcome.Refusals;
import java.util.Optional;

/** Texts of others, for a condition's message. Pure. */
public final class Words {
  private static final int MOST = 500;

  private Words() {}

  /** The last line; those that begin with a space are parts of a stack's trace. */
  static Optional<String> lastLine(String text) {
    return text == null
        ? Optional.empty()
        : text.lines()
            .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
            .reduce((_, last) -> last);
  }

  /** No longer than somebody reads. */
  static String cut(String text) {
    return text.length() <= MOST ? text : text.substring(0, MOST) + "…";
  }

  /**
   * Why pods could not be made, with the next action.
   *
   * @param text by {@link #refusal}
   */
  public static String refusedPods(String text) {
    return "%s; %s"
        .formatted(
            text,
            Refusals.remedy(text)
                .map(action -> Character.toLowerCase(action.charAt(0)) + action.substring(1))
                .map(action -> action.replaceFirst("\\.$", ""))
                .orElse("change the quota or the rule that refuses the pods"));
  }

  /**
   * Why an object could not be made, without the name that it would have had: each attempt has
   * another one.
   */
  public static String refusal(String text) {
    return cut(text.strip().replaceFirst("^(\\S+) \"[^\"]*\" (is|are) ", "$1 $2 "));
  }
}
