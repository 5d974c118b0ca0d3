// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

/** A compiled selector. Pure: the same device gets the same answer. */
public interface DeviceSelector {
  /**
   * Whether a device is one of those that are looked for.
   *
   * @throws SelectorException if the expression has no answer for it
   */
  boolean matches(DeviceFacts device);
}
