// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import java.util.List;

/**
 * What a profile's plugins say about pods that wait.
 *
 * @param gates in the order in which they are asked
 * @param groups whether pods of groups have their turns together: what happens while they are in
 *     flight does not count then, they wait a while and are tried again
 */
public record Rules(Hints hints, List<Gate> gates, boolean groups) {}
