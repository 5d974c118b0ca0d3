// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.device.Device;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import io.exaplane.scheduler.engine.model.device.DeviceRequest;
import io.exaplane.scheduler.engine.model.device.ResourceSlice;
import java.util.List;

/**
 * What is looked for on a node.
 *
 * @param count how many devices
 * @param all those that there are, if all are wanted; or null
 */
record Wanted(
    DeviceRequest request,
    DeviceRequest.Option option,
    DeviceClass deviceClass,
    int count,
    List<Candidate> all) {
  /** A device, and where it is from. */
  record Candidate(Device device, ResourceSlice slice, Pool pool) {}

  boolean isAdmin() {
    return option.adminAccess();
  }
}
