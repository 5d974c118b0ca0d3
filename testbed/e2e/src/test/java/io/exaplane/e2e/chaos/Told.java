// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e.chaos;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/** What a condition said from a moment on. */
public record Told(Instant at, ConditionType type, String status, String reason, String message) {
  /** Those of which True is bad. */
  private static final Set<ConditionType> BAD_WHEN_TRUE =
      EnumSet.of(
          ConditionType.Progressing,
          ConditionType.Degraded,
          ConditionType.Deleting,
          ConditionType.OperatorUpdatePending,
          ConditionType.Stalled);

  /** For tools: they repeat what others say. */
  private static final Set<ConditionType> REPEATS =
      EnumSet.of(ConditionType.Ready, ConditionType.Reconciling);

  /** Whether a control plane at rest says something else. */
  boolean isBad() {
    return !REPEATS.contains(type)
        && !status.equals(BAD_WHEN_TRUE.contains(type) ? Condition.FALSE : Condition.TRUE);
  }

  @Override
  public String toString() {
    return "%s %s=%s %s: %s".formatted(at, type, status, reason, message);
  }
}
