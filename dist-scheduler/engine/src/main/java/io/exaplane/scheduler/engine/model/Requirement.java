// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.List;

/**
 * One condition on labels. {@code GT} and {@code LT} compare whole numbers; a label that is absent,
 * or not a number, does not match them.
 *
 * @param values what the operator compares with: one number for GT and LT, none for EXISTS and
 *     DOES_NOT_EXIST
 */
public record Requirement(String key, Operator operator, List<String> values) {
  /** How a label is compared. Source: apimachinery/pkg/labels/selector.go. */
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    GT,
    LT
  }

  /** Whether a label's value, or null for its absence, satisfies this. */
  public boolean matches(String value) {
    return switch (operator) {
      case IN -> value != null && values.contains(value);
      case NOT_IN -> value == null || !values.contains(value);
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case GT -> value != null && isWhole(value) && number(value) > number(values.getFirst());
      case LT -> value != null && isWhole(value) && number(value) < number(values.getFirst());
    };
  }

  /** Whether Kubernetes would take it; a node selector's term with another one matches nothing. */
  public boolean isValid() {
    return switch (operator) {
      case IN, NOT_IN -> !values.isEmpty();
      case EXISTS, DOES_NOT_EXIST -> values.isEmpty();
      case GT, LT -> values.size() == 1 && isWhole(values.getFirst());
    };
  }

  private static boolean isWhole(String value) {
    try {
      Long.parseLong(value);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static long number(String value) {
    return Long.parseLong(value);
  }
}
