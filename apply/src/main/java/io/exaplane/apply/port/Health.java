// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

/** Whether an object does what it is for, by its status. */
public enum Health {
  /** Nothing is known: the kind has no status, or only metadata was read. */
  UNKNOWN,
  /** The status says that the object is not ready yet. */
  IN_PROGRESS,
  /** The status says that the object is ready, and speaks of the newest generation. */
  CURRENT,
  /** The status says that the object will not become ready by itself. */
  FAILED,
  /** Somebody deleted the object; finalizers hold it. */
  TERMINATING
}
