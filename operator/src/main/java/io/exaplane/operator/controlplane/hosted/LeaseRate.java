// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodeTotals;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How often node Leases are renewed, coarse enough that a status is not written each minute.
 * Immutable.
 *
 * @param perSecond nothing if the store does not count
 */
public record LeaseRate(OptionalInt perSecond) {
  static final LeaseRate NOT_COUNTED = new LeaseRate(OptionalInt.empty());

  private static final double TOLERANCE = 0.1;

  /** What is to be told: what was found last, or what is told already. */
  public static OptionalInt latest(Optional<LeaseRate> found, ControlPlane controlPlane) {
    return found.map(LeaseRate::perSecond).orElseGet(() -> told(controlPlane));
  }

  /** What the status of a control plane tells; nothing if it tells no rate. */
  static OptionalInt told(ControlPlane controlPlane) {
    return Optional.ofNullable(controlPlane.getStatus())
        .map(status -> status.nodes())
        .map(NodeTotals::leaseRenewalsPerSecond)
        .map(NodeTotals.LeaseRenewals::seen)
        .map(OptionalInt::of)
        .orElse(OptionalInt.empty());
  }

  /**
   * The rate that is to be told.
   *
   * @param told what is told now; it stays while it is within a tenth, or within one
   * @param measured renewals a second, 0 or more
   */
  static LeaseRate of(OptionalInt told, double measured) {
    if (told.isPresent()) {
      int before = told.getAsInt();
      boolean isNear = Math.abs(measured - before) <= Math.max(1, TOLERANCE * before);
      if (isNear && (before == 0) == (measured == 0)) {
        return new LeaseRate(told);
      }
    }
    return new LeaseRate(OptionalInt.of(rounded(measured)));
  }

  /** To two digits; what is more than nothing is at least one. */
  private static int rounded(double measured) {
    if (measured == 0) {
      return 0;
    }
    double step = Math.max(1, Math.pow(10, Math.floor(Math.log10(measured)) - 1));
    return (int) Math.max(1, Math.round(measured / step) * step);
  }
}
