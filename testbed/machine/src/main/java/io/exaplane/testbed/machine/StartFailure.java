// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

/** A component did not start with what it was given. */
public final class StartFailure extends Exception {
  private static final long serialVersionUID = 1L;

  public StartFailure(String message) {
    super(message);
  }
}
