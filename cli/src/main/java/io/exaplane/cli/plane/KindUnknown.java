// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

/** The management cluster does not serve a kind: another operator is installed, or none. */
final class KindUnknown extends PlaneException {
  private static final long serialVersionUID = 1L;

  KindUnknown(String message) {
    super(message);
  }
}
