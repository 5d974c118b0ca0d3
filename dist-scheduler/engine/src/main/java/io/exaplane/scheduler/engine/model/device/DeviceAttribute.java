// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

/**
 * What a driver says of a device.
 *
 * @param value a String for texts and versions, a Long or a Boolean; null of an unknown kind
 */
public record DeviceAttribute(Kind kind, Object value) {
  /** Lists (alpha in 1.36) are of an unknown kind, as kube-scheduler has them by default. */
  public enum Kind {
    TEXT,
    INTEGER,
    BOOLEAN,
    VERSION,
    UNKNOWN
  }
}
