// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

/** What the API server answers. */
final class HttpStatus {
  static final int NOT_FOUND = 404;
  static final int CONFLICT = 409;

  private HttpStatus() {}
}
