// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import java.util.OptionalInt;

/**
 * A priority level of API Priority and Fairness.
 *
 * @param exempt whether its requests are never queued nor refused
 * @param shares nominalConcurrencyShares
 * @param lendablePercent of its seats
 * @param borrowingLimitPercent of its seats; empty: no limit but all the server's seats
 * @param queues 0 if excess requests are refused at once
 * @param handSize queues that a flow is dealt
 */
public record PriorityLevel(
    String name,
    boolean exempt,
    int shares,
    int lendablePercent,
    OptionalInt borrowingLimitPercent,
    int queues,
    int handSize,
    int queueLengthLimit) {}
