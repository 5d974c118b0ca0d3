// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.device.ResourceSlice;
import io.exaplane.scheduler.engine.model.device.ResourceSlice.PoolId;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * A pool as one node sees it.
 *
 * @param slices with devices for the node, in the order in which they are tried
 * @param elsewhere slices with devices for other nodes: they may take of the same counters
 * @param counters by set and name
 * @param problem why it is not valid, or null
 */
record Pool(
    PoolId id,
    boolean incomplete,
    String problem,
    List<ResourceSlice> slices,
    List<ResourceSlice> elsewhere,
    Map<String, Map<String, BigDecimal>> counters) {
  static Pool incomplete(PoolId id) {
    return new Pool(id, true, null, List.of(), List.of(), Map.of());
  }

  static Pool invalid(PoolId id, String problem) {
    return new Pool(id, false, problem, List.of(), List.of(), Map.of());
  }

  boolean isInvalid() {
    return problem != null;
  }

  /** Whether some device has conditions on binding, even if it is an empty list of them. */
  boolean hasBindingConditions() {
    return slices.stream()
        .flatMap(slice -> slice.devices().stream())
        .anyMatch(device -> device.bindingConditions() != null);
  }
}
