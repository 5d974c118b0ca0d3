// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.watch;

import java.util.Map;

/**
 * The watches of an event loop.
 *
 * @param slow those that have not seen everything
 * @param lagEvents how many events the slowest one has not looked at
 * @param sentEvents since the start
 * @param byKind watches by the Kind that their range begins with
 */
public record WatchStatistics(
    int streams, int slow, long lagEvents, long sentEvents, Map<String, Integer> byKind) {}
