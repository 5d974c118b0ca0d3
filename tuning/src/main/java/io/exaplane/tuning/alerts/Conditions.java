// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

/** Statuses of conditions, as the operator's metrics have them. */
final class Conditions {
  static final String TRUE = "True";
  static final String FALSE = "False";

  private Conditions() {}
}
