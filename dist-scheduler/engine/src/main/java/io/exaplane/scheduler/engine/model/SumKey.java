// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

/**
 * What sums by domain are of: two that are equal are parts of one sum, wherever their nodes are.
 *
 * @param pods which pods count
 * @param topologyKey by which label nodes are in domains
 * @param eligible which nodes count; null if all do
 * @param withoutKey whether nodes without the label count, in the domain of the empty value
 * @param withMin whether the smallest sum is of interest
 */
public record SumKey(
    PodCounter.Matcher pods,
    String topologyKey,
    Object eligible,
    boolean withoutKey,
    boolean withMin) {}
