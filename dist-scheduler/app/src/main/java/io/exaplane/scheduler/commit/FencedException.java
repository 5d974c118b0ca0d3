// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

/** Nothing may be written any more: somebody else may be in charge. */
final class FencedException extends Exception {
  private static final long serialVersionUID = 1L;

  FencedException(String what) {
    super(what);
  }
}
