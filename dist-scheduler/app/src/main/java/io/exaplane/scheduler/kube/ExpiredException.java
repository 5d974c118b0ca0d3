// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.io.IOException;

/** The server has forgotten what happened since, or has less than it once had. */
final class ExpiredException extends IOException {
  private static final long serialVersionUID = 1L;

  ExpiredException(String what) {
    super(what);
  }
}
