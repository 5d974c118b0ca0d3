// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import java.util.Locale;

/** Arithmetic of the formulas, and numbers for people. */
public final class Numbers {
  private Numbers() {}

  public static double clamp(double value, double min, double max) {
    return Math.max(min, Math.min(max, value));
  }

  /** Up to the next multiple. */
  public static double roundUp(double value, double step) {
    return Math.ceil(value / step) * step;
  }

  /** Whole numbers with separators, small ones with two digits behind the point. */
  public static String text(double value) {
    if (value == Math.rint(value) || Math.abs(value) >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, Math.abs(value) < 0.1 ? "%.3g" : "%.2f", value);
  }
}
