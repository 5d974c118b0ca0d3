// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

/** An input that can't be: names the field, the value, the rule and what to do. */
public final class InvalidInputException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private final String field;

  public InvalidInputException(String field, String value, String rule, String next) {
    super(field + ": '" + value + "' " + rule + "; " + next);
    this.field = field;
  }

  /** The input's name. */
  public String field() {
    return field;
  }
}
