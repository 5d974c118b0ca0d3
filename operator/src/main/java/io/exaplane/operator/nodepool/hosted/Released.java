// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.operator.nodepool.heartbeat.Heartbeats;
import io.exaplane.operator.nodepool.heartbeat.Wave;
import java.util.Optional;

/**
 * What hosts may take now. Immutable.
 *
 * @param authorities empty while hosts stay as they are
 */
public record Released(Wave<Heartbeats> heartbeats, Optional<Wave<String>> authorities) {}
