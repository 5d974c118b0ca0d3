// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import java.util.List;

/**
 * A kind of device.
 *
 * @param selectors expressions that all have to match
 * @param extendedResource by which pods may ask for such devices, too; or empty
 * @param createdNs since 1970
 */
public record DeviceClass(
    String name, List<String> selectors, String extendedResource, long createdNs) {
  /** What resources that stand for devices of a class without saying so begin with. */
  public static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

  /** The resource that stands for devices of the class whatever else does. */
  public String implicitResource() {
    return IMPLICIT + name;
  }
}
