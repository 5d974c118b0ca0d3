// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

/** An input that can't be: names the field, the value, the rule and what to do. */
public final class InvalidInputException extends IllegalArgumentException {
  public InvalidInputException(String field, String value, String rule, String next) {
    super(field + ": '" + value + "' " + rule + "; " + next);
  }
}
