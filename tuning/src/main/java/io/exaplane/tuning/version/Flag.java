// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

/**
 * A command line flag in one minor version.
 *
 * @param type pflag's name of its type: bool, int, int32, float, duration, string, stringSlice, …
 * @param defaultValue as the component's help prints it
 * @param deprecated what the component says when the flag is used, or empty
 */
public record Flag(String type, String defaultValue, String deprecated) {
  public boolean isDeprecated() {
    return !deprecated.isEmpty();
  }

  /**
   * Whether the value is the default, however it is written (5m and 5m0s, 50 and 50.0, 1000 and
   * 1_000).
   *
   * @throws IllegalArgumentException if it is no value of the type
   */
  public boolean isDefault(String value) {
    return switch (type) {
      case "duration" -> Durations.nanos(defaultValue) == Durations.nanos(value);
      case "int", "int32", "int64", "uint" ->
          defaultValue.equals(value)
              || GoNumbers.whole(defaultValue).equals(GoNumbers.whole(value));
      case "float", "float32", "float64" ->
          Double.parseDouble(defaultValue) == GoNumbers.floating(value, Double.MAX_VALUE);
      default -> defaultValue.equals(value);
    };
  }
}
