// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * Devices of a pool, as a driver publishes them.
 *
 * @param generation of the pool; slices of older ones do not count
 * @param slicesInPool how many there are of this generation
 * @param perDevice whether each device says where it can be used; null if the slice does not say
 * @param counters by set and name
 */
public record ResourceSlice(
    String name,
    PoolId pool,
    long generation,
    long slicesInPool,
    Place place,
    Boolean perDevice,
    List<Device> devices,
    Map<String, Map<String, BigDecimal>> counters) {
  /** The one name of a pool. */
  public record PoolId(String driver, String name) implements Comparable<PoolId> {
    @Override
    public int compareTo(PoolId other) {
      int byDriver = driver.compareTo(other.driver);
      return byDriver != 0 ? byDriver : name.compareTo(other.name);
    }

    @Override
    public String toString() {
      return driver + "/" + name;
    }
  }

  /** The same with other devices. */
  ResourceSlice with(List<Device> others) {
    return new ResourceSlice(
        name, pool, generation, slicesInPool, place, perDevice, List.copyOf(others), counters);
  }

  /** Whether each device says where it can be used. */
  public boolean isPerDevice() {
    return perDevice != null && perDevice;
  }
}
