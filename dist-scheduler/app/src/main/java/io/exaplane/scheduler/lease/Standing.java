// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.lease;

/** Whether a process may write. */
public enum Standing {
  /** It has not been in charge yet. */
  WAITING,
  /** It is in charge: what it sends now arrives before anybody else is. */
  HELD,
  /** It was in charge, and may be again: nobody else is known to be. */
  PAUSED,
  /** Somebody else is in charge after it. */
  LOST
}
