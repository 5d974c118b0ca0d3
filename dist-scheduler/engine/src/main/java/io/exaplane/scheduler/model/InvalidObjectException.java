// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

/**
 * An object that no API server would have stored. Its message names the field, the value, the rule
 * and what to do.
 */
public final class InvalidObjectException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public InvalidObjectException(String field, Object value, String rule, String action) {
    super("%s: %s is not valid: %s; %s".formatted(field, shown(value), rule, action));
  }

  private InvalidObjectException(String message, InvalidObjectException cause) {
    super(message, cause);
  }

  /** The same with where the object is, as a file. */
  public InvalidObjectException in(String place) {
    return new InvalidObjectException(place + ": " + getMessage(), this);
  }

  /** Strings in quotes: a string may look like a number. */
  private static Object shown(Object value) {
    return value instanceof String ? "\"" + value + "\"" : value;
  }
}
