// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import io.exaplane.scheduler.engine.model.Taint;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * A device of a slice.
 *
 * @param capacity by name
 * @param consumes of the counters of its pool
 * @param place where it can be used, in slices where each device says so
 * @param bindsToNode whether who gets it can run on one node only
 * @param bindingConditions what has to become true before a pod may be bound, or null
 */
public record Device(
    DeviceId id,
    DeviceFacts facts,
    Map<String, DeviceCapacity> capacity,
    List<Taint> taints,
    List<Consumption> consumes,
    Place place,
    boolean bindsToNode,
    List<String> bindingConditions,
    List<String> bindingFailureConditions) {
  /** The same with other taints. */
  Device with(List<Taint> others) {
    return new Device(
        id,
        facts,
        capacity,
        List.copyOf(others),
        consumes,
        place,
        bindsToNode,
        bindingConditions,
        bindingFailureConditions);
  }

  /** How much it takes of the counters of a set. */
  public record Consumption(String counterSet, Map<String, BigDecimal> counters) {}
}
