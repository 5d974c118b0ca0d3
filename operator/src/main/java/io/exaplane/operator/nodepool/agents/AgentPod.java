// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import java.time.Instant;

/**
 * A pod of an agent. Immutable.
 *
 * @param node "" if no node has it yet
 * @param revision hash of the template that it was made from; "" if nobody knows
 * @param isLeaving whether it is deleted, or being so
 * @param readySince since when the operator sees it Ready; {@link Instant#MAX} if it is not
 */
record AgentPod(
    String name, String uid, String node, String revision, boolean isLeaving, Instant readySince) {
  boolean isReady() {
    return !isLeaving && !readySince.equals(Instant.MAX);
  }

  AgentPod leaving() {
    return new AgentPod(name, uid, node, revision, true, readySince);
  }
}
