// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.guard;

import java.time.Duration;
import java.time.Instant;

/**
 * One look at a control plane. Immutable.
 *
 * @param inside whether the API answers inside the management cluster
 * @param outsideProblem why it does not answer through its published endpoint; "" if it does
 */
public record GuardLook(Instant at, boolean inside, String outsideProblem, LeaseLook leases) {
  /** The same with the nodes of before that the store of Leases cannot know. */
  GuardLook remembering(long before, Duration within, Duration after) {
    return new GuardLook(at, inside, outsideProblem, leases.remembering(before, within, after));
  }

  boolean pathsAreGood() {
    return outsideProblem.isEmpty() && leases.kind() != LeaseLook.Kind.UNREACHABLE;
  }
}
