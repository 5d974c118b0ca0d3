// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.operator.nodepool.address.NodeCounts.Late;
import io.exaplane.operator.nodepool.heartbeat.HeartbeatTarget;
import io.exaplane.operator.nodepool.heartbeat.Heartbeats;
import io.exaplane.operator.nodepool.heartbeat.Wave;
import java.util.List;
import java.util.Optional;

/**
 * What a pass found of a pool's heartbeats. Immutable.
 *
 * @param wave what is released; empty if the hosted API did not answer
 * @param updated nodes that said that they have the heartbeats
 * @param unreported nodes that said nothing
 * @param longestLease that a node may still have, seconds
 * @param trusting which CAs nodes trust; empty while they stay as they are
 */
public record Beating(
    HeartbeatTarget target,
    Wave.Order<Heartbeats> order,
    Optional<Wave<Heartbeats>> wave,
    int updated,
    int unreported,
    int longestLease,
    Optional<Trusting> trusting) {
  /**
   * What a pass found of the CAs that nodes trust.
   *
   * @param id short name of those that they are to trust
   * @param following nodes that do
   * @param others all other nodes
   * @param late the first of these by name
   * @param wave what is released; empty if the hosted API did not answer
   */
  public record Trusting(
      String id,
      Wave.Order<String> order,
      int following,
      int others,
      List<Late> late,
      Optional<Wave<String>> wave) {}
}
