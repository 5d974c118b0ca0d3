// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.queue;

import java.util.List;

/**
 * What a profile's plugins say about pods that wait.
 *
 * @param gates in the order in which they are asked
 */
public record Rules(Hints hints, List<Gate> gates) {}
