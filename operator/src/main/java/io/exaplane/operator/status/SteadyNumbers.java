// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text that is told again and again by somebody who counts, or numbers each request: the numbers
 * that moved give way to an ellipsis, so that the text is true and stays. Pure.
 */
final class SteadyNumbers {
  private static final String MOVES = "…";

  /** With what is written to it: an id, a unit, a time. */
  private static final Pattern NUMBER = Pattern.compile("[\\w-]*[0-9][\\w-]*|" + MOVES);

  private SteadyNumbers() {}

  /**
   * The text now.
   *
   * @param before what this gave the last time
   * @return the same as before when only numbers moved that have moved already; the text itself
   *     when other words changed
   */
  static String of(String before, String now) {
    if (!words(before).equals(words(now))) {
      return now;
    }
    Matcher old = NUMBER.matcher(before);
    return NUMBER
        .matcher(now)
        .replaceAll(
            number ->
                Matcher.quoteReplacement(
                    old.find() && old.group().equals(number.group()) ? number.group() : MOVES));
  }

  private static String words(String text) {
    return NUMBER.matcher(text).replaceAll(MOVES);
  }
}
