// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

/** The one name of a device. */
public record DeviceId(String driver, String pool, String device) {
  @Override
  public String toString() {
    return driver + "/" + pool + "/" + device;
  }
}
