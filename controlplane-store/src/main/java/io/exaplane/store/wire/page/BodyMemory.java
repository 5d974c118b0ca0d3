// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

/**
 * What the bodies of a connection's requests may take until they are read, out of what those of all
 * connections may. Belongs to the connection's event loop.
 */
public interface BodyMemory {
  /** Takes so many bytes, or says no. */
  boolean take(int bytes);

  void giveBack(int bytes);
}
