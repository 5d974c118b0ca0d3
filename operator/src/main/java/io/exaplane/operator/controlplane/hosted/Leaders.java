// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

/**
 * Who leads inside a hosted cluster.
 *
 * @param controllerManager whether a kube-controller-manager holds its Lease; true while unknown
 * @param scheduler the same for kube-scheduler
 * @param writeProblem who refuses a write of the operator's, and why; "" when none is refused, or
 *     none was needed to know that the API takes writes
 */
public record Leaders(boolean controllerManager, boolean scheduler, String writeProblem) {
  /** Nothing is known to be wrong. */
  public static final Leaders UNKNOWN = new Leaders(true, true, "");

  /** Whether the API is known to refuse writes. */
  public boolean refusesWrites() {
    return !writeProblem.isEmpty();
  }
}
