// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

/** A question about a control plane that the management cluster does not answer. */
public class PlaneException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PlaneException(String message) {
    super(message);
  }
}
