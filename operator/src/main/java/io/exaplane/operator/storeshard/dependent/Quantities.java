// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;

/** Sizes as the API server writes them, so that a look finds no difference. Pure. */
final class Quantities {
  private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  private static final String[] DECIMAL = {"", "k", "M", "G", "T", "P", "E"};

  private Quantities() {}

  /**
   * The same size with the largest suffix of its kind that leaves a whole number; null for null.
   */
  static Quantity canonical(Quantity quantity) {
    if (quantity == null) {
      return null;
    }
    BigDecimal amount = quantity.getNumericalAmount();
    if (amount.stripTrailingZeros().scale() > 0) {
      return quantity;
    }
    boolean binary = quantity.getFormat().endsWith("i");
    long step = binary ? 1024 : 1000;
    long number = amount.longValueExact();
    int suffix = 0;
    while (number != 0 && number % step == 0 && suffix < BINARY.length - 1) {
      number /= step;
      suffix++;
    }
    return new Quantity(Long.toString(number), (binary ? BINARY : DECIMAL)[suffix]);
  }
}
