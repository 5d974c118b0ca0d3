// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.gateway;

import java.util.concurrent.atomic.AtomicLong;

/** The heap that answers in JSON may take until their clients have taken them. Thread-safe. */
final class GatewayMemory {
  private final long mostBytes;
  private final AtomicLong taken = new AtomicLong();

  GatewayMemory(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Takes so many bytes, or says no. */
  boolean take(long bytes) {
    boolean hasRoom = taken.addAndGet(bytes) <= mostBytes;
    if (!hasRoom) {
      taken.addAndGet(-bytes);
    }
    return hasRoom;
  }

  void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }
}
