// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

/**
 * A value that the user put in the place of the model's.
 *
 * @param name of the flag, gate or variable
 * @param advised what the model says, "default" when it says to leave it
 * @param field where the user said so
 */
public record OverriddenValue(
    String component, String name, String value, String advised, String field) {
  @Override
  public String toString() {
    return "%s %s is %s instead of %s (%s)".formatted(component, name, value, advised, field);
  }
}
