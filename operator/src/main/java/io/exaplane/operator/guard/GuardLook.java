// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.guard;

import java.time.Instant;

/**
 * One look at a control plane. Immutable.
 *
 * @param inside whether the API answers inside the management cluster
 * @param outsideProblem why it does not answer through its published endpoint; "" if it does
 */
public record GuardLook(Instant at, boolean inside, String outsideProblem, LeaseLook leases) {
  boolean pathsAreGood() {
    return outsideProblem.isEmpty() && leases.kind() != LeaseLook.Kind.UNREACHABLE;
  }
}
