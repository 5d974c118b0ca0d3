// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.path;

import io.exaplane.tuning.rules.Limit;
import java.util.List;
import java.util.Map;

/**
 * How a cluster of one size gets onto the servers.
 *
 * @param exceeded limits of the cluster as it was given, the worst first; empty if it fits
 * @param changes in the order in which each relieves what is worst then
 * @param fits whether no limit is exceeded after the changes
 * @param inputs all inputs of the changed cluster, as {@code exactl tune -f} reads them
 * @param left names of the warnings that remain
 */
public record Path(
    long nodes,
    List<Limit> exceeded,
    List<Change> changes,
    boolean fits,
    Map<String, String> inputs,
    List<String> left) {}
