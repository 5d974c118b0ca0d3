// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

/** What a simulation can be made to do wrong, for the checker to find. */
enum Fault {
  /** What was forced to disk is lost. */
  LOST_TAIL,
  /** A restart begins with an empty folder. */
  WIPED_STORE,
  /** No snapshot is whole. */
  TORN_SNAPSHOT,
  /** A store that loses writes forgets how far it had got. */
  REUSED_REVISION,
  /** A lease is gone, its keys stay. */
  LOST_LEASE,
  /** A watch misses an event. */
  DROPPED_EVENT,
  /** A watch gets an event twice. */
  DUPLICATED_EVENT,
  /** A watch gets events in the wrong order. */
  SWAPPED_EVENTS,
  /** An event does not show what was before. */
  MISSING_PREV_KV,
  /** A watch learns of progress before it has all events. */
  EARLY_PROGRESS,
  /** A watch gets the events of a revision in two responses. */
  SPLIT_TXN,
  /** A read shows the past. */
  STALE_READ
}
