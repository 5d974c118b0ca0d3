// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

/** The server has forgotten what happened since, or has less than it once had. */
final class ExpiredException extends Exception {
  private static final long serialVersionUID = 1L;

  ExpiredException(String what) {
    super(what);
  }
}
