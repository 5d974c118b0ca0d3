// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import io.exaplane.scheduler.engine.model.Taint;
import java.util.ArrayList;
import java.util.List;

/**
 * A taint that an administrator gives to devices, whatever their driver says of them. Known from
 * 1.37 on. Source: dynamic-resource-allocation/resourceslice/tracker, applyPatches.
 *
 * @param selects false if it means no device at all
 * @param driver whose devices it means; empty for all, as are pool and device
 */
public record DeviceTaintRule(
    String name, boolean selects, String driver, String pool, String device, Taint taint) {
  private boolean means(DeviceId id) {
    return selects
        && (driver.isEmpty() || driver.equals(id.driver()))
        && (pool.isEmpty() || pool.equals(id.pool()))
        && (device.isEmpty() || device.equals(id.device()));
  }

  /** A slice whose devices have the taints of these rules besides their own. */
  static ResourceSlice applied(Iterable<DeviceTaintRule> rules, ResourceSlice slice) {
    List<Device> devices = new ArrayList<>();
    boolean same = true;
    for (Device device : slice.devices()) {
      List<Taint> taints = new ArrayList<>(device.taints());
      for (DeviceTaintRule rule : rules) {
        if (rule.means(device.id())) {
          taints.add(rule.taint());
        }
      }
      boolean untouched = taints.size() == device.taints().size();
      same &= untouched;
      devices.add(untouched ? device : device.with(taints));
    }
    return same ? slice : slice.with(devices);
  }
}
