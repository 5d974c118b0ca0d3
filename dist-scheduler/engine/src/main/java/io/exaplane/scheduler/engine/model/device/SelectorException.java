// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

/** A selector that cannot be compiled, or has no answer for a device. */
public final class SelectorException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public SelectorException(String message) {
    super(message);
  }
}
