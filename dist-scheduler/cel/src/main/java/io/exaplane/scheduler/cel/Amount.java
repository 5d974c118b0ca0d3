// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.cel;

import java.math.BigDecimal;

/** A quantity in an expression: equal to what is as much, however it is written. */
record Amount(BigDecimal value) implements Comparable<Amount> {
  @Override
  public int compareTo(Amount other) {
    return value.compareTo(other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Amount amount && compareTo(amount) == 0;
  }

  @Override
  public int hashCode() {
    return value.stripTrailingZeros().hashCode();
  }
}
