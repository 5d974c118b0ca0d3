// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import java.util.Map;
import java.util.Set;

/**
 * What other shards have to know of a shard's nodes.
 *
 * @param nodes how many there are
 * @param imageNodes by image, how many of them have it
 * @param values by topology key, the values that their labels have
 */
public record Inventory(
    int nodes, Map<String, Integer> imageNodes, Map<String, Set<String>> values) {}
