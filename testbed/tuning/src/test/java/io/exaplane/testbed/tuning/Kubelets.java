// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

/** Accounts with the credentials of kubelets. */
final class Kubelets {
  static final int COUNT = 51;
  static final String GROUP = "system:nodes";

  private Kubelets() {}

  static String token(int number) {
    return "kubelet-" + number;
  }

  static String user(int number) {
    return "system:node:node-" + number;
  }
}
