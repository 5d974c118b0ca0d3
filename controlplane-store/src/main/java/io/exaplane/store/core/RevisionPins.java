// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import java.util.TreeMap;

/**
 * Revisions that reads over several epochs still use. Pin inside the epoch in which the read began.
 * Thread-safe.
 */
public final class RevisionPins {
  private final TreeMap<Long, Integer> readers = new TreeMap<>();
  private volatile long oldest = Long.MAX_VALUE;

  public synchronized void pin(long revision) {
    readers.merge(revision, 1, Integer::sum);
    oldest = readers.firstKey();
  }

  public synchronized void unpin(long revision) {
    readers.computeIfPresent(revision, (pinned, count) -> count == 1 ? null : count - 1);
    oldest = readers.isEmpty() ? Long.MAX_VALUE : readers.firstKey();
  }

  /** The oldest pinned revision; {@link Long#MAX_VALUE} if there is none. */
  public long oldest() {
    return oldest;
  }
}
