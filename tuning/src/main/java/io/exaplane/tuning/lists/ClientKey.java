// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.util.regex.Pattern;

/**
 * Who asks: an account and the program that uses it. All nodes are one, and so are all versions of
 * a program, and all pods of a workload that call themselves by their names.
 */
public record ClientKey(String account, String program) {
  private static final String NODE = "system:node:";
  static final String SERVICE_ACCOUNT = "system:serviceaccount:";
  private static final Pattern VERSION = Pattern.compile("[/ (].*");
  private static final String EVERY = "*";

  /** The account of each namespace's pods that name no other: these are unrelated programs. */
  private static final String DEFAULT = "default";

  private static final String LETTERS = "[bcdfghjklmnpqrstvwxz2456789]";

  /** A dash and five letters. */
  private static final int SUFFIX = 6;

  private static final int SHORTEST_POD = SUFFIX + 1;

  /**
   * The end of a pod's name as controllers make it: the hash of a template or the minute of a
   * CronJob, then five letters of the alphabet that Kubernetes uses for them.
   */
  private static final Pattern OF_POD =
      Pattern.compile("-(?:[0-9]{8,10}-|" + LETTERS + "{6,10}-)?" + LETTERS + "{5}$");

  static ClientKey of(AuditEvent event) {
    String account = event.user().startsWith(NODE) ? NODE + "*" : event.user();
    String program = VERSION.matcher(event.userAgent()).replaceFirst("");
    return new ClientKey(account, program.isEmpty() ? "unnamed" : workload(program));
  }

  private static String workload(String program) {
    if (program.length() < SHORTEST_POD || program.charAt(program.length() - SUFFIX) != '-') {
      return program;
    }
    return OF_POD.matcher(program).replaceFirst("-" + EVERY);
  }

  /** Whether accounts of that name in other namespaces mean the same. */
  boolean hasFamily() {
    return isServiceAccount() && !account.endsWith(":" + DEFAULT);
  }

  /** The same program with the accounts of that name in all namespaces. */
  ClientKey family() {
    int name = account.lastIndexOf(':');
    return new ClientKey(SERVICE_ACCOUNT + EVERY + account.substring(name), program);
  }

  boolean isServiceAccount() {
    return account.startsWith(SERVICE_ACCOUNT);
  }
}
