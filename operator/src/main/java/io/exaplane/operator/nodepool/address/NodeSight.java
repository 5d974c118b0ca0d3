// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import java.time.Instant;

/**
 * A Node as others see it who must not touch it. Immutable.
 *
 * @param pool the NodePool's name; "" without one
 * @param zone its failure domain; "" without one
 * @param since when its readiness changed last; {@link Instant#EPOCH} if nobody knows
 */
public record NodeSight(String name, String pool, String zone, boolean ready, Instant since) {}
