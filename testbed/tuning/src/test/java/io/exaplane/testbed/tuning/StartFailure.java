// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

/** A component did not start with what it was given. */
final class StartFailure extends Exception {
  private static final long serialVersionUID = 1L;

  StartFailure(String message) {
    super(message);
  }
}
