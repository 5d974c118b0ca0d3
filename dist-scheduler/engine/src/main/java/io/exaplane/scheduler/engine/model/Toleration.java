// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.List;

/**
 * What a pod puts up with. Source: api/core/v1/toleration.go; the operators Gt and Lt are off by
 * default up to 1.36 and tolerate nothing.
 */
public record Toleration(String key, String operator, String value, String effect) {
  public boolean tolerates(Taint taint) {
    if (!effect.isEmpty() && !effect.equals(taint.effect())) {
      return false;
    }
    if (!key.isEmpty() && !key.equals(taint.key())) {
      return false;
    }
    return switch (operator) {
      case "", "Equal" -> value.equals(taint.value());
      case "Exists" -> true;
      default -> false;
    };
  }

  public static boolean anyTolerates(List<Toleration> tolerations, Taint taint) {
    for (Toleration toleration : tolerations) {
      if (toleration.tolerates(taint)) {
        return true;
      }
    }
    return false;
  }

  /** Whether each taint that keeps pods away is tolerated. */
  public static boolean allTolerated(List<Toleration> tolerations, List<Taint> taints) {
    for (Taint taint : taints) {
      if (taint.forbids() && !anyTolerates(tolerations, taint)) {
        return false;
      }
    }
    return true;
  }
}
