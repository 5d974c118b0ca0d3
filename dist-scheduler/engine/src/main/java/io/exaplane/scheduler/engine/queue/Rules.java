// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import java.util.List;

/**
 * What a profile's plugins say about pods that wait.
 *
 * @param gates in the order in which they are asked
 * @param losesPatienceWithGates whether pods that a gate keeps from their turn are asked again,
 *     too, when nothing has happened for long, as from 1.37 on
 * @param grouping how pods of groups have their turns
 */
public record Rules(
    Hints hints, List<Gate> gates, boolean losesPatienceWithGates, Grouping grouping) {}
