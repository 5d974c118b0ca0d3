// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.watch;

import io.exaplane.store.core.KeyRange;
import org.agrona.collections.LongArrayList;

/** One watch: what it wants, and how far it got. Belongs to its stream's event loop. */
final class Watcher {
  private static final int KEPT_PENDING = 1 << 10;

  final WatchStream stream;
  final long id;
  final KeyRange range;
  final boolean prevKv;
  final boolean progressNotify;
  final boolean fragment;
  final boolean noPut;
  final boolean noDelete;

  /** The first revision that it wants. */
  final long minRevision;

  /** Events to be sent, by the addresses of their records; empty between dispatches. */
  final LongArrayList pending = new LongArrayList();

  /** While it catches up, the position of the first event that it was not shown yet. */
  long position;

  boolean synced;
  boolean sentSinceTick;

  Watcher(WatchStream stream, long id, WatchCreateRequest request, long minRevision) {
    this.stream = stream;
    this.id = id;
    this.range = request.range();
    this.prevKv = request.prevKv;
    this.progressNotify = request.progressNotify;
    this.fragment = request.fragment;
    this.noPut = request.noPut;
    this.noDelete = request.noDelete;
    this.minRevision = minRevision;
  }

  /** Forgets what is pending; what a rare large revision took does not stay in memory. */
  void clearPending() {
    pending.clear();
    if (pending.capacity() > KEPT_PENDING) {
      pending.trimToSize();
    }
  }
}
