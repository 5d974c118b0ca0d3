// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.management;

/**
 * Addresses that the management cluster has.
 *
 * @param what as "Services", "pods on node w1" or "node w1"
 * @param range a CIDR or an address
 */
public record Taken(String what, String range) {}
