// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

/**
 * What is to be expected of the cluster, as memory or a rate.
 *
 * @param unit as bytes, cores, 1/s
 */
public record Figure(String name, double value, String unit, String how) {}
