// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

/** How an object of a source stands. */
public enum Outcome {
  /** Nothing was decided yet. */
  PENDING,
  /** It was as its manifest says; nothing was sent. */
  UNCHANGED,
  /** It was applied since its manifest last changed. */
  APPLIED,
  /** It waits for another object, for its kind, or for its own deletion to end. */
  WAITING,
  /** The server refuses it; it is tried again later. */
  FAILED,
  /** Another manager owns fields of it, and the source respects that. */
  YIELDED,
  /** It belongs to another set by its label; it is left alone. */
  TAKEN
}
