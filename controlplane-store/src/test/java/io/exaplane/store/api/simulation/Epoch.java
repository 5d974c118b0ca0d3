// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What clients saw of a store over a time in which it lost nothing that it had shown.
 *
 * @param base revision at which it began
 * @param keys what was there then
 * @param god a watch of everything that is never slow
 */
record Epoch(
    long base, Map<String, Kv> keys, Follower god, List<Op> ops, List<Follower> followers) {
  Epoch(long base, List<Kv> keys, Follower god) {
    this(base, new TreeMap<>(), god, new ArrayList<>(), new ArrayList<>());
    keys.forEach(kv -> this.keys.put(kv.key(), kv));
  }
}
