// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.exaplane.store.stats.Histogram.Times;

/**
 * The calls of a method so far.
 *
 * @param path as {@code /etcdserverpb.KV/Range}
 * @param handled by gRPC's code
 * @param times from a call's beginning to its end
 */
public record CallStatistics(
    String path,
    long started,
    long[] handled,
    Times times,
    long receivedMessages,
    long sentMessages,
    long receivedBytes,
    long sentBytes) {}
