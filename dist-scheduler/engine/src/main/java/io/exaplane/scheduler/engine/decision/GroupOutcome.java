// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.queue.GroupEnd;

/**
 * What came of it when it was decided about a group as from 1.37 on.
 *
 * @param attempt before anything else was tried for the group; by this it waits
 * @param end what its users are told
 * @param message why too few of its pods go to nodes; empty if enough do
 */
public record GroupOutcome(GroupEnd attempt, GroupEnd end, String message) {
  static GroupOutcome failed(String why) {
    return new GroupOutcome(GroupEnd.FAILED, GroupEnd.FAILED, why);
  }
}
