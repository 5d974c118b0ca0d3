// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

/** How pods of groups have their turns. */
public enum Grouping {
  /** Each by itself. */
  NONE,
  /**
   * As in 1.36: each waits by itself, and whose turn it is takes the others along. What happens
   * while they are in flight does not count then, they wait a while and are tried again.
   */
  PODS,
  /** As from 1.37 on: they wait together ({@link QueuedGroup}). */
  WHOLE
}
