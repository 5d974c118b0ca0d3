// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.scheduler;

import java.util.List;
import java.util.Map;

/**
 * What both schedulers get.
 *
 * @param objects what is there before any pod
 * @param init pods that are placed before the time counts
 * @param measured pods whose placement is timed
 * @param placed how many of those find a node in the end
 */
public record Workload(
    String name,
    List<Map<String, Object>> objects,
    List<Map<String, Object>> init,
    List<Map<String, Object>> measured,
    int placed) {}
