// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.upgrade;

import io.exaplane.operator.nodepool.address.NodeTurn;

/**
 * One thing to do with one Node, which must be the very version that was seen. Immutable.
 *
 * @param turn that the Node gets; of {@link Kind#RETURN}, the one that it had
 */
public record UpgradeAct(Kind kind, NodeTurn node, Turn turn) {
  /** What is done. */
  public enum Kind {
    /** No pods are bound to the Node from now on. */
    CORDON,
    /**
     * Pods are evicted. When none is left, the Node gets the phase Drained; if its host has another
     * prefix, it is deleted, so that the host makes another one.
     */
    DRAIN,
    /** The Node is to have another version than before. */
    RETARGET,
    /** The turn ends, and the Node takes pods again if it did before. */
    RETURN
  }
}
