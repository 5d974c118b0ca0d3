// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

/** What a store found of itself when it started. */
public enum Recovered {
  /** Nothing: it is new, or keeps nothing, or its files are gone. */
  EMPTY,
  /** All that was ever shown. */
  REPLAYED,
  /** What was kept; writes of a weaker durability than fsync may be missing. */
  PARTIAL
}
