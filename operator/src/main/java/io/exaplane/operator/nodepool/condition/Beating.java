// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.operator.nodepool.heartbeat.HeartbeatTarget;
import io.exaplane.operator.nodepool.heartbeat.Wave;
import java.util.Optional;

/**
 * What a pass found of a pool's heartbeats. Immutable.
 *
 * @param wave what is released; empty if the hosted API did not answer
 * @param updated nodes that said that they have the heartbeats
 * @param unreported nodes that said nothing
 * @param longestLease that a node may still have, seconds
 */
public record Beating(
    HeartbeatTarget target,
    Wave.Order order,
    Optional<Wave> wave,
    int updated,
    int unreported,
    int longestLease) {}
