// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

/** What came of it when it was decided about a group, as from 1.37 on. */
public enum GroupEnd {
  /** Enough of its pods have nodes. */
  PLACED,
  /** Too few of its pods found nodes. */
  REFUSED,
  /** The attempt failed for another reason. */
  FAILED
}
