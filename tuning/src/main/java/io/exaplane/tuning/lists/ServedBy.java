// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import io.exaplane.tuning.version.MinorVersion;

/**
 * Where kube-apiserver takes the answer to a LIST from (pkg/storage/cacher/delegator.go, up to 1.32
 * cacher.go; the table is reference/tuning.md §5.1).
 */
public enum ServedBy {
  CACHE,
  /** The watch cache as it was at an older revision, from 1.34 on. */
  SNAPSHOT,
  STORE;

  private static final int CONSISTENT_READS = 31;
  private static final int SNAPSHOTS = 34;

  /**
   * For a server that has been up for a while, on a store that tells the progress of watches.
   *
   * @param cached whether the resource has a watch cache at all
   */
  public static ServedBy of(MinorVersion server, ListQuery query, boolean cached) {
    if (!cached) {
      return STORE;
    }
    ServedBy older = server.atLeast(SNAPSHOTS) ? SNAPSHOT : STORE;
    return switch (query.match()) {
      case "Exact" -> older;
      // 1.30 left every limit to the store but that of resourceVersion=0.
      case "NotOlderThan" ->
          query.limit() > 0 && !query.zero() && !server.atLeast(CONSISTENT_READS) ? STORE : CACHE;
      case "" -> {
        if (query.continued()) {
          yield older;
        }
        if (query.limit() > 0 && !query.unset() && !query.zero()) {
          yield older;
        }
        yield query.unset() && !server.atLeast(CONSISTENT_READS) ? STORE : CACHE;
      }
      default -> STORE;
    };
  }
}
