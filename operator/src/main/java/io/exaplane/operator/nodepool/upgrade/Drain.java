// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.upgrade;

/**
 * What a look at the pods of a Node that is drained found. Immutable.
 *
 * @param left pods that have not left
 * @param obstacle the first pod that stays, why, and the next action; "" if all are leaving
 * @param needsPerson whether the pod stays until a person acts
 */
public record Drain(int left, String obstacle, boolean needsPerson) {}
