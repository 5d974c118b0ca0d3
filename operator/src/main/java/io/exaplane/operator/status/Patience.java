// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import java.time.Duration;

/** How long somebody is told that no action is needed. */
public final class Patience {
  /** Ends a message that asks for nothing. */
  public static final String NO_ACTION = " No action is needed.";

  /** Afterwards it is said what to look at. */
  public static final Duration LIMIT = Duration.ofMinutes(2);

  private Patience() {}

  /** A message that asked for nothing too long. */
  static String ended(String message, String then) {
    return without(message) + " This has taken more than 2 minutes: " + without(then);
  }

  static String without(String message) {
    return message.endsWith(NO_ACTION)
        ? message.substring(0, message.length() - NO_ACTION.length())
        : message;
  }
}
