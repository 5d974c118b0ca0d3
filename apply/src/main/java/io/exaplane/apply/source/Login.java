// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

/**
 * A name and a password or token. Immutable.
 *
 * @param user name; empty for none
 * @param password password or token; empty for none
 */
public record Login(String user, String password) {
  /** Nobody. */
  public static final Login NONE = new Login("", "");

  boolean isNone() {
    return user.isEmpty() && password.isEmpty();
  }

  /** Without the password. */
  @Override
  public String toString() {
    return isNone() ? "nobody" : user + ", with a password";
  }
}
