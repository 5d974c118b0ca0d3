// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

/** Why an object is applied. */
public enum Cause {
  /** No record says that we ever applied it. */
  FIRST,
  /** Its manifest changed. */
  MANIFEST,
  /** It is gone. */
  GONE,
  /** Somebody changed fields that we own. */
  DRIFT,
  /** An apply of it was cut off, so that nobody knows what it did. */
  UNSURE
}
