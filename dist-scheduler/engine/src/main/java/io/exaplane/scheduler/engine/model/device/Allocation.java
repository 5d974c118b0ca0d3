// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.NodeSelector;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * What a claim was given.
 *
 * @param nodes where it can be used, or null for everywhere
 * @param sinceNs since 1970, or {@link Fields#NO_TIME}
 */
public record Allocation(List<Result> results, NodeSelector nodes, long sinceNs) {
  /**
   * A device, or a share of it.
   *
   * @param request and, after a slash, the alternative
   * @param shared whether others may have shares of it, too
   * @param consumed of its capacity, by name
   * @param bindingConditions what has to become true before the pod is bound
   * @param bindingFailureConditions what may not
   */
  public record Result(
      String request,
      DeviceId device,
      boolean adminAccess,
      boolean shared,
      Map<String, BigDecimal> consumed,
      List<String> bindingConditions,
      List<String> bindingFailureConditions) {}

  /** Whether something has to become true before the pod is bound. */
  public boolean hasBindingConditions() {
    return results.stream().anyMatch(result -> !result.bindingConditions().isEmpty());
  }
}
