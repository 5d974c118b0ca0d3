// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

/** A store of a move does not exist any more, so nobody can ask the store; says which. */
final class StoreGoneException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreGoneException(String shard) {
    super(
        "StoreShard %s does not exist, so the move ended. Check spec.storage.stores of the ControlPlane."
            .formatted(shard));
  }
}
