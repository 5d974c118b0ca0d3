// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

/** The management cluster did not do what it was asked for, and may do it later. */
public final class NoAnswer extends PlaneException {
  private static final long serialVersionUID = 1L;
  private static final int SERVERS_FAULT = 500;

  private final String why;
  private final int status;

  /**
   * One request.
   *
   * @param message for a user who asks nothing else
   * @param why without a next action
   * @param status of HTTP; 0 if nothing came back
   */
  NoAnswer(String message, String why, int status) {
    super(message);
    this.why = why;
    this.status = status;
  }

  /** What the server or the connection said. */
  public String why() {
    return why;
  }

  /** Whether a write may have been done nevertheless. */
  public boolean mayBeDone() {
    return status == 0 || status >= SERVERS_FAULT;
  }
}
