// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An object that no API server would have stored. Its message names the field, the value, the rule
 * and what to do.
 */
public final class InvalidObjectException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int MOST = 200;
  private static final int MOST_ELEMENTS = 20;

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

  /**
   * Strings in quotes, as a string may look like a number; of objects the names of their fields, as
   * a value may be a secret.
   */
  private static String shown(Object value) {
    if (value instanceof String text) {
      return "\"" + (text.length() > MOST ? text.substring(0, MOST) + "…" : text) + "\"";
    }
    if (value instanceof Map<?, ?> map) {
      return map.keySet().stream().map(String::valueOf).collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof Collection<?> all) {
      return all.stream()
          .limit(MOST_ELEMENTS)
          .map(one -> one instanceof String ? (String) one : shown(one))
          .collect(Collectors.joining(", ", "[", all.size() > MOST_ELEMENTS ? ", …]" : "]"));
    }
    return String.valueOf(value);
  }
}
