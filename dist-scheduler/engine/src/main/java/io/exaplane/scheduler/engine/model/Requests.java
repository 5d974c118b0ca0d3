// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.SortedMap;

/**
 * What a pod asks for, in the different ways in which plugins add it up.
 *
 * @param toFit what has to be free on a node: the pod's spec alone
 * @param placed what the pod takes from its node: with what a resize in progress holds
 * @param nonZeroMilliCpu like placed, with 100m for each container that asks for no CPU
 * @param nonZeroMemoryBytes like placed, with 200 MiB for each container that asks for no memory
 * @param fitScore by resource, what NodeResourcesFit scores: with those defaults, without requests
 *     of the pod as a whole
 * @param balanceScore by resource, what NodeResourcesBalancedAllocation scores: without defaults
 */
public record Requests(
    Amounts toFit,
    Amounts placed,
    long nonZeroMilliCpu,
    long nonZeroMemoryBytes,
    SortedMap<String, Long> fitScore,
    SortedMap<String, Long> balanceScore) {}
