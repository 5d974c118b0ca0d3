// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

/** An amount is asked for that a device's capacity cannot be given in. */
final class CapacityException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CapacityException(String message) {
    super(message);
  }
}
