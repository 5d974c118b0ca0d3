// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

/** Values as words of a POSIX shell. Pure. */
final class ShellText {
  private ShellText() {}

  /**
   * The value in single quotes, in which a shell takes every character as itself.
   *
   * @throws IllegalArgumentException if the value holds a NUL, which no shell can
   */
  static String quote(String value) {
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "a value of the join script holds a NUL character, which no shell can keep; remove it");
    }
    return "'" + value.replace("'", "'\\''") + "'";
  }

  /** A line that gives a variable its value. */
  static String assignment(String name, String value) {
    return name + "=" + quote(value) + "\n";
  }
}
