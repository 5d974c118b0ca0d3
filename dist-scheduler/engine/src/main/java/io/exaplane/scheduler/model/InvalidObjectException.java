// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

/**
 * An object that no API server would have stored. Its message names the field, the value, the rule
 * and what to do.
 */
public final class InvalidObjectException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public InvalidObjectException(String field, Object value, String rule, String action) {
    super("%s: %s is not valid: %s; %s".formatted(field, value, rule, action));
  }
}
