// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

/** What somebody may see. Implementations may block. */
interface Rights {
  /**
   * Whether they may see something.
   *
   * @throws Reviews.Unreachable if the API server does not answer
   */
  boolean may(Right right);
}
