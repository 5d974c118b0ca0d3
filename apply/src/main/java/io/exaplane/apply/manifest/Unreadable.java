// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

/** A document, or an object, that is not taken; carries the line, from 1, or 0 for none. */
final class Unreadable extends Exception {
  private static final long serialVersionUID = 1;
  private final int line;

  Unreadable(int line, String message) {
    super(message);
    this.line = line;
  }

  int line() {
    return line;
  }
}
