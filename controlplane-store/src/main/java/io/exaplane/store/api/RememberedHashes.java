// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The hashes of the last revisions that somebody asked for, which can't be made again when the
 * revisions are compacted. Belongs to the maintenance thread.
 */
final class RememberedHashes {
  /** As many as etcd remembers. */
  static final int MOST = 10;

  /**
   * A hash.
   *
   * @param compactedRevision the store's when the hash was made
   */
  record Hash(long upTo, long compactedRevision, int value) {}

  private final Map<Long, Hash> hashes =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Hash> eldest) {
          return size() > MOST;
        }
      };

  void add(Hash hash) {
    hashes.put(hash.upTo(), hash);
  }

  /** The one of a revision; null if nobody asked for it. */
  Hash of(long revision) {
    return hashes.get(revision);
  }
}
