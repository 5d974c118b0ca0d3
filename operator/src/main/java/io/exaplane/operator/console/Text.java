// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.tuning.model.Bytes;
import java.util.Locale;

/** Figures as people read them. Pure. */
final class Text {
  static final String NONE = "\u2013";

  private Text() {}

  static String of(Object value) {
    return value == null || value.toString().isEmpty() ? NONE : value.toString();
  }

  static String number(Number value) {
    return value == null ? NONE : "%,d".formatted(value.longValue());
  }

  static String bytes(Number value) {
    return value == null ? NONE : Bytes.text(value.longValue());
  }

  /** As 3 MiB of 2 GiB (1 %). */
  static String share(Number used, Number most) {
    if (used == null || most == null || most.longValue() <= 0) {
      return bytes(used);
    }
    return "%s of %s (%d %%)"
        .formatted(bytes(used), bytes(most), used.longValue() * 100 / most.longValue());
  }

  static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%,.0f", perSecond);
  }
}
