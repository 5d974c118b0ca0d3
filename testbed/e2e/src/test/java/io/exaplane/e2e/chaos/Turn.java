// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e.chaos;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import java.time.Duration;
import java.util.Set;

/**
 * What a condition must come to say after a step.
 *
 * @param reasons one of these
 * @param within after the step began
 */
public record Turn(ConditionType type, String status, Set<Reason> reasons, Duration within) {
  boolean isMetBy(Told told) {
    return told.type() == type
        && told.status().equals(status)
        && reasons.stream().anyMatch(reason -> reason.name().equals(told.reason()));
  }

  @Override
  public String toString() {
    return "%s=%s %s within %d s".formatted(type, status, reasons, within.toSeconds());
  }
}
