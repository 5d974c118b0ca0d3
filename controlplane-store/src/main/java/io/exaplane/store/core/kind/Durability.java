// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

/** What a write has survived when it is acknowledged and shown; the strongest one first. */
public enum Durability {
  /** Loss of power: it is on disk. Revisions go on without a gap. */
  FSYNC,

  /** The end of the process: it is with the operating system. */
  BUFFERED,

  /** Nothing: it is in memory only. */
  MEMORY
}
