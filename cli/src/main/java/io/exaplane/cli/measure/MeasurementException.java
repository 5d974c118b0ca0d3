// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

/** What kept a measurement from being made: the server did not answer, or not as it should. */
public final class MeasurementException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MeasurementException(String message) {
    super(message);
  }

  MeasurementException(String message, Throwable cause) {
    super(message, cause);
  }
}
