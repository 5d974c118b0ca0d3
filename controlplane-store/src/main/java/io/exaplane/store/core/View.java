// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.index.KeyTree;

/**
 * What readers may see: everything up to a revision. Immutable.
 *
 * @param revision the newest revision that may be shown
 * @param compactedRevision below it nothing can be asked for; -1 if nothing was compacted
 * @param starts below these nothing can be asked for either, of keys with a window of their own
 * @param tree the keys at the revision
 * @param firstEvent position of the oldest event that is still there
 * @param events position behind the newest event that may be shown
 * @param firstLife position of the oldest creation or deletion that is still there
 * @param lives position behind the newest creation or deletion that may be shown
 */
public record View(
    long revision,
    long compactedRevision,
    HistoryStarts starts,
    KeyTree.Node tree,
    long firstEvent,
    long events,
    long firstLife,
    long lives) {
  /** The oldest revision that can be asked for, of a range; -1 if that is any. */
  public long historyStart(KeyRange range) {
    return Math.max(compactedRevision, starts.of(range));
  }

  /** The oldest revision that can be asked for, whatever the keys; -1 if that is any. */
  public long wholeSince() {
    return Math.max(compactedRevision, starts.newest());
  }
}
