// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.explain;

import io.exaplane.scheduler.model.device.ResourceClaim;
import io.exaplane.scheduler.preemption.Candidate;

/**
 * What can be done for a pod that found no node.
 *
 * @param room where it can go if others do, or null
 * @param givenUp a claim of its own that gives its devices up, or null
 * @param waitsNoMore whether it waits for no node any more
 * @param message in words, as the event FailedScheduling has them
 */
record Rescue(Candidate room, ResourceClaim givenUp, boolean waitsNoMore, String message) {
  /** Nothing. */
  static Rescue none(boolean waitsNoMore, String message) {
    return new Rescue(null, null, waitsNoMore, message);
  }
}
