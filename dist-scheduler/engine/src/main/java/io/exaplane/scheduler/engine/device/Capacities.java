// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.Quantity;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceCapacity;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much of a device's capacity a request takes: steps are of whole units. From 1.37 on, amounts
 * that cannot be given in steps end the search. Steps of thousandths (DRAFractionalCapacityRange)
 * are off as long as 1.37 may stand beside 1.36 (--min-compatibility-version). Source:
 * dynamic-resource-allocation/structured/internal/incubating/consumable_capacity.go.
 */
final class Capacities {
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  private final boolean ends;

  Capacities(Version version) {
    ends = version.atLeast(Version.V1_37);
  }

  /**
   * Whether a device has what is asked for.
   *
   * @param consumed by others, by name
   * @param taking by who asks, already
   * @throws CapacityException if it cannot be given in steps
   */
  boolean fits(
      Device device,
      Map<String, BigDecimal> asked,
      Map<String, BigDecimal> consumed,
      Map<String, BigDecimal> taking) {
    if (!device.capacity().keySet().containsAll(asked.keySet())) {
      return false;
    }
    Map<String, BigDecimal> taken = taken(device, asked);
    for (Map.Entry<String, DeviceCapacity> entry : device.capacity().entrySet()) {
      String name = entry.getKey();
      if (violates(taken.get(name), entry.getValue().policy())) {
        return false;
      }
      BigDecimal all =
          taken
              .get(name)
              .add(consumed.getOrDefault(name, BigDecimal.ZERO))
              .add(taking.getOrDefault(name, BigDecimal.ZERO));
      if (all.compareTo(entry.getValue().amount()) > 0) {
        return false;
      }
    }
    return true;
  }

  /** What a share of a device takes of each capacity. */
  Map<String, BigDecimal> taken(Device device, Map<String, BigDecimal> asked) {
    Map<String, BigDecimal> taken = new LinkedHashMap<>();
    device
        .capacity()
        .forEach((name, capacity) -> taken.put(name, taken(name, asked.get(name), capacity)));
    return taken;
  }

  private BigDecimal taken(String name, BigDecimal asked, DeviceCapacity capacity) {
    BigDecimal taken = taken(asked, capacity, name);
    if (ends && taken.signum() < 0) {
      throw new CapacityException("capacity \"%s\": capacity value is negative".formatted(name));
    }
    return taken;
  }

  private BigDecimal taken(BigDecimal asked, DeviceCapacity capacity, String name) {
    DeviceCapacity.Policy policy = capacity.policy();
    if (asked == null) {
      return policy != null && policy.absent() != null ? policy.absent() : capacity.amount();
    }
    if (policy == null) {
      return asked;
    }
    if (policy.range() != null && policy.range().min() != null) {
      return roundedUp(asked, policy.range(), name);
    }
    for (BigDecimal value : policy.values()) {
      if (asked.compareTo(value) <= 0) {
        return value;
      }
    }
    return asked;
  }

  private BigDecimal roundedUp(BigDecimal asked, DeviceCapacity.Range range, String name) {
    if (asked.compareTo(range.min()) < 0) {
      return range.min();
    }
    if (range.step() == null) {
      return asked;
    }
    if (ends && asked.compareTo(MOST) > 0) {
      throw cannotBeGiven(name, "request %s exceeds MaxInt64".formatted(text(asked)));
    }
    long min = Quantity.whole(range.min());
    long step = Quantity.whole(range.step());
    long steps = Math.ceilDiv(Quantity.whole(asked) - min, step);
    if (ends && min >= 0 && steps > (Long.MAX_VALUE - min) / step) {
      throw cannotBeGiven(
          name, "rounding request %s up to the next step passes MaxInt64".formatted(text(asked)));
    }
    return BigDecimal.valueOf(min + step * steps);
  }

  private static CapacityException cannotBeGiven(String name, String why) {
    return new CapacityException(
        "capacity \"%s\": capacity request cannot be represented in the device's range arithmetic: %s"
            .formatted(name, why));
  }

  private static String text(BigDecimal amount) {
    return amount.stripTrailingZeros().toPlainString();
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
