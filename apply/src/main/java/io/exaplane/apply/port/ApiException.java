// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

/** A request that failed; carries the {@link Failure} for the engine. */
public final class ApiException extends Exception {
  private static final long serialVersionUID = 1;
  private final transient Failure failure;

  /**
   * Of a failure.
   *
   * @param failure what the server or the connection said
   */
  public ApiException(Failure failure) {
    super(failure.code() + " " + failure.reason() + ": " + failure.message());
    this.failure = failure;
  }

  /**
   * What the server or the connection said.
   *
   * @return the failure
   */
  public Failure failure() {
    return failure;
  }
}
