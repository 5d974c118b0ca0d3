// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.core.error.StoreException;
import java.util.function.Supplier;

/**
 * A client's connection: to the store that the route leads to when it is made, and to no other one
 * until it is lost or the store asks for another one.
 */
final class MoveConnection {
  private final Supplier<MoveSide> route;
  private MoveSide side;
  private int life;

  MoveConnection(Supplier<MoveSide> route) {
    this.route = route;
    connect();
  }

  void connect() {
    side = route.get();
    life = side.life();
  }

  MoveSide side() {
    return side;
  }

  boolean isLost() {
    return life != side.life();
  }

  /** Whether a refusal is one after which etcd's client asks again. */
  boolean asksAgain(StoreException refusal) {
    if (refusal == StoreException.MOVED) {
      connect();
    }
    return refusal == StoreException.MOVED || refusal == StoreException.MOVING;
  }
}
