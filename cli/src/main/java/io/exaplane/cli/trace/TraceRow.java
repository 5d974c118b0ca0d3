// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.trace;

/**
 * Requests of one Kind and operation.
 *
 * @param requests ended within the recording; of watches, those that were opened
 * @param failed of them, by gRPC's status
 * @param items objects in answers, or events of watches
 * @param requestBytes bytes of the messages of clients
 * @param answerBytes bytes of the messages of the store
 * @param p50Ms median of the time from the request to the end of its answer, ms; 0 for watches
 * @param p99Ms 99th percentile, ms
 * @param maxMs the longest time, ms
 * @param totalMs all times, ms
 */
public record TraceRow(
    String kind,
    String operation,
    long requests,
    long failed,
    long items,
    long requestBytes,
    long answerBytes,
    double p50Ms,
    double p99Ms,
    double maxMs,
    double totalMs) {}
