// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

/** Whether an object exists, as far as lists, watches and answers have said. */
public enum Presence {
  /** No list has covered it yet. */
  UNSEEN,
  /** It exists and belongs to a set. */
  PRESENT,
  /** Somebody deleted it; finalizers hold it. */
  DELETING,
  /** It does not exist, or it lost the label of its set. */
  ABSENT
}
