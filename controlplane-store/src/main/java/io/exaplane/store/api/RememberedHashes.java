// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The hashes of revisions at which was compacted, from before the compaction: afterwards they can't
 * be made again. etcd makes one in each compaction and remembers ten (server/storage/mvcc/hash.go,
 * hashStorage); here no compaction reads the whole store, and those are remembered that somebody
 * asked for since the compaction before, as who compares hashes across a compaction does.
 * Thread-safe.
 */
final class RememberedHashes {
  /** Compactions whose hashes are remembered, and hashes since the last one. */
  static final int MOST = 10;

  /**
   * A hash.
   *
   * @param revision the last one that is in it
   * @param compactedRevision the store's when it was made
   */
  record Hash(long revision, long compactedRevision, int value) {}

  private record Compaction(long revision, Hash hash) {}

  private final Deque<Compaction> compactions = new ArrayDeque<>();
  private final List<Hash> asked = new ArrayList<>();

  /** Somebody asked for a hash. */
  synchronized void asked(Hash hash) {
    asked.removeIf(each -> each.revision() == hash.revision());
    if (asked.size() == MOST) {
      asked.removeFirst();
    }
    asked.add(hash);
  }

  /** The store was compacted. */
  synchronized void compacted(long before, long revision) {
    Hash hash =
        asked.stream()
            .filter(each -> each.revision() == revision && each.compactedRevision() == before)
            .findFirst()
            .orElse(null);
    asked.clear();
    if (compactions.size() == MOST) {
      compactions.removeFirst();
    }
    compactions.add(new Compaction(revision, hash));
  }

  /** That of a revision at which was compacted; null if it is not remembered. */
  synchronized Hash of(long revision) {
    return compactions.stream()
        .filter(each -> each.revision() == revision && each.hash() != null)
        .map(Compaction::hash)
        .findFirst()
        .orElse(null);
  }
}
