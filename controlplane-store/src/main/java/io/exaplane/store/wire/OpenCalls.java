// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

/** Calls that are open on the connections of one event loop; used by that loop alone. */
final class OpenCalls {
  private final int most;
  private int open;

  /**
   * @param most calls that may be open; more are told to come later
   */
  OpenCalls(int most) {
    this.most = most;
  }

  void enter() {
    open++;
  }

  void leave() {
    open--;
  }

  boolean isTooMany() {
    return open > most;
  }
}
