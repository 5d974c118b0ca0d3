// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import java.math.BigDecimal;
import java.util.List;

/**
 * How much of something a device has.
 *
 * @param policy what claims may ask for, or null for anything
 */
public record DeviceCapacity(BigDecimal amount, Policy policy) {
  /**
   * What claims may ask for; others are rounded up to that.
   *
   * @param absent what who does not ask is given, or null for all
   * @param values the only ones that are given, ascending; empty if there is none such
   * @param range or null
   */
  public record Policy(BigDecimal absent, List<BigDecimal> values, Range range) {}

  /** Amounts from min on, in steps, up to max; each may be null. */
  public record Range(BigDecimal min, BigDecimal max, BigDecimal step) {}
}
