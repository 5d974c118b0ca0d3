// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.util.regex.Pattern;

/**
 * Who asks: an account and the program that uses it. All nodes are one, and so are all versions of
 * a program.
 */
public record ClientKey(String account, String program) {
  private static final String NODE = "system:node:";
  static final String SERVICE_ACCOUNT = "system:serviceaccount:";
  private static final Pattern VERSION = Pattern.compile("[/ (].*");

  static ClientKey of(AuditEvent event) {
    String account = event.user().startsWith(NODE) ? NODE + "*" : event.user();
    String program = VERSION.matcher(event.userAgent()).replaceFirst("");
    return new ClientKey(account, program.isEmpty() ? "unnamed" : program);
  }

  boolean isServiceAccount() {
    return account.startsWith(SERVICE_ACCOUNT);
  }
}
