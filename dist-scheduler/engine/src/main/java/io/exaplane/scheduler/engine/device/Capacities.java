// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.Quantity;
import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceCapacity;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much of a device's capacity a request takes. Source:
 * dynamic-resource-allocation/structured/internal/incubating/consumable_capacity.go.
 */
final class Capacities {
  private Capacities() {}

  /**
   * Whether a device has what is asked for.
   *
   * @param consumed by others, by name
   * @param taking by who asks, already
   */
  static boolean fits(
      Device device,
      Map<String, BigDecimal> asked,
      Map<String, BigDecimal> consumed,
      Map<String, BigDecimal> taking) {
    if (!device.capacity().keySet().containsAll(asked.keySet())) {
      return false;
    }
    for (Map.Entry<String, DeviceCapacity> entry : device.capacity().entrySet()) {
      String name = entry.getKey();
      BigDecimal taken = taken(asked.get(name), entry.getValue());
      if (violates(taken, entry.getValue().policy())) {
        return false;
      }
      BigDecimal all =
          taken
              .add(consumed.getOrDefault(name, BigDecimal.ZERO))
              .add(taking.getOrDefault(name, BigDecimal.ZERO));
      if (all.compareTo(entry.getValue().amount()) > 0) {
        return false;
      }
    }
    return true;
  }

  /** What a share of a device takes of each capacity. */
  static Map<String, BigDecimal> taken(Device device, Map<String, BigDecimal> asked) {
    Map<String, BigDecimal> taken = new LinkedHashMap<>();
    device
        .capacity()
        .forEach((name, capacity) -> taken.put(name, taken(asked.get(name), capacity)));
    return taken;
  }

  private static BigDecimal taken(BigDecimal asked, DeviceCapacity capacity) {
    DeviceCapacity.Policy policy = capacity.policy();
    if (asked == null) {
      return policy != null && policy.absent() != null ? policy.absent() : capacity.amount();
    }
    if (policy == null) {
      return asked;
    }
    if (policy.range() != null && policy.range().min() != null) {
      return roundedUp(asked, policy.range());
    }
    for (BigDecimal value : policy.values()) {
      if (asked.compareTo(value) <= 0) {
        return value;
      }
    }
    return asked;
  }

  private static BigDecimal roundedUp(BigDecimal asked, DeviceCapacity.Range range) {
    if (asked.compareTo(range.min()) < 0) {
      return range.min();
    }
    if (range.step() == null) {
      return asked;
    }
    long min = Quantity.whole(range.min());
    long step = Quantity.whole(range.step());
    long steps = Math.ceilDiv(Quantity.whole(asked) - min, step);
    return BigDecimal.valueOf(min + step * steps);
  }

  private static boolean violates(BigDecimal taken, DeviceCapacity.Policy policy) {
    if (policy == null || (policy.absent() != null && taken.compareTo(policy.absent()) == 0)) {
      return false;
    }
    if (policy.range() != null) {
      return violates(taken, policy.range());
    }
    return !policy.values().isEmpty()
        && policy.values().stream().noneMatch(value -> value.compareTo(taken) == 0);
  }

  private static boolean violates(BigDecimal taken, DeviceCapacity.Range range) {
    if (range.max() != null && taken.compareTo(range.max()) > 0) {
      return true;
    }
    if (range.step() == null) {
      return false;
    }
    long min = range.min() == null ? 0 : Quantity.whole(range.min());
    return (Quantity.whole(taken) - min) % Quantity.whole(range.step()) != 0;
  }
}
