// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What an acknowledged write survives. */
public enum StoreDurability {
  /** Nothing: it is in memory only. */
  Memory,
  /** The end of the process, but not that of the machine. */
  Buffered,
  /** Loss of power, as far as the volume does. */
  Fsync
}
