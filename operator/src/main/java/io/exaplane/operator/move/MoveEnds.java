// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.api.v1alpha1.ControlPlane;

/**
 * The stores of a move, by their names in the control plane. Immutable.
 *
 * @param controlPlane as the pass knows it
 * @param fromStore has the keys
 * @param toStore gets the keys
 */
public record MoveEnds(ControlPlane controlPlane, String fromStore, String toStore) {}
