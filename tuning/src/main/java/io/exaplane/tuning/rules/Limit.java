// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Numbers;

/**
 * One thing that a control plane may run out of: what is needed, and what there is.
 *
 * @param name for people
 * @param warning name of the warning that stands where more is needed than there is
 * @param needed in the unit
 * @param available in the unit; positive
 */
public record Limit(String name, String warning, double needed, double available, Unit unit) {
  /** What is counted. */
  public enum Unit {
    BYTES,
    BYTES_PER_SECOND,
    PER_SECOND,
    CORES,
    COUNT,
    SECONDS;

    /** A value for people, with its unit. */
    public String text(double value) {
      String rounded = Numbers.text(value >= 10 ? Math.rint(value) : value);
      return switch (this) {
        case BYTES -> Bytes.text(value);
        case BYTES_PER_SECOND -> Bytes.text(value) + "/s";
        case PER_SECOND -> rounded + "/s";
        case CORES -> rounded + " cores";
        case COUNT -> rounded;
        case SECONDS -> rounded + " s";
      };
    }
  }

  /** How many times what there is is needed. */
  public double ratio() {
    return needed / available;
  }

  public boolean isExceeded() {
    return needed > available;
  }

  /** Whether both are the same limit of two clusters, whatever the numbers are. */
  public boolean isSame(Limit other) {
    return name.equals(other.name) && warning.equals(other.warning);
  }
}
