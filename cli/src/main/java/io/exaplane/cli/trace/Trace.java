// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.trace;

import java.util.List;

/**
 * What a recording found.
 *
 * @param endpoint of the store
 * @param seconds that were recorded
 * @param connections that clients opened
 * @param openWatches at the end
 * @param rows by Kind and operation, those with most bytes first
 */
public record Trace(
    String endpoint, double seconds, long connections, long openWatches, List<TraceRow> rows) {}
