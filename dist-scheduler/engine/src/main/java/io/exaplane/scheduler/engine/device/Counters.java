// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import io.exaplane.scheduler.engine.model.device.ResourceSlice;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Counters of pools, from which devices that are parts of others take. Source:
 * dynamic-resource-allocation/structured/internal/incubating, checkAvailableCounters.
 *
 * <p>Until 1.36, kube-scheduler tells pools apart by their names alone here, without the driver: of
 * two with the same name, the counters of the one that is looked at first in a cycle count for
 * both.
 */
final class Counters {
  /** By pool, set and name. */
  private final Map<String, Map<String, Map<String, BigDecimal>>> available;

  private final Map<String, Map<String, Map<String, BigDecimal>>> taken = new HashMap<>();
  private final Predicate<DeviceId> isInUse;
  private final boolean byDriver;

  /**
   * For one node.
   *
   * @param available what was found out about pools in the same cycle; it grows
   * @param isInUse whether somebody has a device, or a share of it
   * @param byDriver whether two drivers' pools with one name are two pools
   */
  Counters(
      Map<String, Map<String, Map<String, BigDecimal>>> available,
      Predicate<DeviceId> isInUse,
      boolean byDriver) {
    this.available = available;
    this.byDriver = byDriver;
    this.isInUse = isInUse;
  }

  /** Takes what a device needs, unless any counter of its pool is overdrawn then. */
  boolean take(Device device, Pool pool) {
    String name = nameOf(device.id());
    Map<String, Map<String, BigDecimal>> limits =
        available.computeIfAbsent(name, n -> availableOf(pool));
    add(device, 1);
    for (Map.Entry<String, Map<String, BigDecimal>> set : limits.entrySet()) {
      Map<String, BigDecimal> takenOfSet =
          taken.getOrDefault(name, Map.of()).getOrDefault(set.getKey(), Map.of());
      for (Map.Entry<String, BigDecimal> limit : set.getValue().entrySet()) {
        BigDecimal all = takenOfSet.getOrDefault(limit.getKey(), BigDecimal.ZERO);
        if (limit.getValue().compareTo(all) < 0) {
          add(device, -1);
          return false;
        }
      }
    }
    return true;
  }

  private String nameOf(DeviceId device) {
    return byDriver ? device.driver() + "/" + device.pool() : device.pool();
  }

  /** Gives back what a device took. */
  void giveBack(Device device) {
    add(device, -1);
  }

  private void add(Device device, int sign) {
    Map<String, Map<String, BigDecimal>> ofPool =
        taken.computeIfAbsent(nameOf(device.id()), p -> new HashMap<>());
    for (Device.Consumption consumption : device.consumes()) {
      Map<String, BigDecimal> ofSet =
          ofPool.computeIfAbsent(consumption.counterSet(), s -> new HashMap<>());
      consumption
          .counters()
          .forEach(
              (name, amount) ->
                  ofSet.merge(name, sign > 0 ? amount : amount.negate(), BigDecimal::add));
    }
  }

  /** What devices that are in use have left over; it may be less than nothing. */
  private Map<String, Map<String, BigDecimal>> availableOf(Pool pool) {
    Map<String, Map<String, BigDecimal>> left = new HashMap<>();
    pool.counters().forEach((set, counters) -> left.put(set, new HashMap<>(counters)));
    for (List<ResourceSlice> slices : List.of(pool.slices(), pool.elsewhere())) {
      for (ResourceSlice slice : slices) {
        for (Device device : slice.devices()) {
          if (isInUse.test(device.id())) {
            subtract(device, left);
          }
        }
      }
    }
    return left;
  }

  private static void subtract(Device device, Map<String, Map<String, BigDecimal>> from) {
    for (Device.Consumption consumption : device.consumes()) {
      Map<String, BigDecimal> set = from.get(consumption.counterSet());
      consumption
          .counters()
          .forEach(
              (name, amount) -> set.computeIfPresent(name, (n, left) -> left.subtract(amount)));
    }
  }
}
