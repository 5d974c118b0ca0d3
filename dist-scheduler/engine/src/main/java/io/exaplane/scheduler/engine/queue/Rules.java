// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import java.util.List;

/**
 * What a profile's plugins say about pods that wait.
 *
 * @param gates in the order in which they are asked
 * @param losesPatienceWithGates whether pods that a gate keeps from their turn are asked again,
 *     too, when nothing has happened for long, as from 1.37 on
 * @param groups whether pods of groups have their turns together: what happens while they are in
 *     flight does not count then, they wait a while and are tried again
 */
public record Rules(
    Hints hints, List<Gate> gates, boolean losesPatienceWithGates, boolean groups) {}
