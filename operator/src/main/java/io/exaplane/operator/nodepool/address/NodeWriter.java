// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

/** Changes Nodes of one hosted cluster. */
interface NodeWriter {
  /** What became of a write. */
  enum Result {
    DONE,
    /** The Node is another one by now. */
    CHANGED,
    GONE,
    /** The API, or somebody that it asks, does not want it. */
    REFUSED,
    /** The API did not answer, or has no time. */
    NOT_REACHED
  }

  /**
   * The end of a write.
   *
   * @param message why it was not done, and the next action; "" if it was
   */
  record Outcome(Result result, String message) {}

  /** Writes, and waits for the answer, which may take ten seconds. */
  Outcome write(NodeWrite write);
}
