// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

/**
 * How far the Service of a resource is. Immutable.
 *
 * @param ready whether kube-apiservers can be led to the address
 * @param address of the Service; null before it has one
 * @param selectedStore name of the store that it leads to; null before it exists
 * @param waitsFor a sentence for people: what is missing, and the next action; null if ready
 */
public record RouteState(boolean ready, String address, String selectedStore, String waitsFor) {}
