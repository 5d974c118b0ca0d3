// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

/**
 * How much a store may hold before it takes nothing that makes it grow, and how much more for what
 * doesn't: see {@link Growth}.
 *
 * @param recordBytes of all versions that are kept, off the heap
 * @param recordReserve above that, for them
 * @param indexBytes of what is needed on the heap to find them, as {@link SpaceAccount#indexBytes}
 *     estimates it
 * @param indexReserve above that, for it
 * @param loadBytes of a kube-apiserver's memory that the newest versions take, see {@link
 *     SpaceAccount#loadBytes}; {@link #UNLIMITED} if nobody said how much that may be
 */
public record SpaceLimits(
    long recordBytes, long recordReserve, long indexBytes, long indexReserve, long loadBytes) {
  public static final long UNLIMITED = Long.MAX_VALUE;
  public static final SpaceLimits NONE = new SpaceLimits(UNLIMITED, 0, UNLIMITED, 0, UNLIMITED);

  /** Enough for what a control plane renews in the time that history is kept. */
  private static final int RESERVE_PARTS = 32;

  /** Of a small store, whose reserve is to take one large value and not fill with small ones. */
  private static final int MOST_RESERVE_PARTS = 8;

  /** What a limit is passed by, once, by the request that reaches it, and as much for others. */
  private static final int LARGE_REQUESTS = 2;

  /** Limits with their reserves above them. */
  public static SpaceLimits of(long recordBytes, long indexBytes, long maxRequestBytes) {
    return new SpaceLimits(
        recordBytes,
        reserve(recordBytes, maxRequestBytes),
        indexBytes,
        reserve(indexBytes, 0),
        UNLIMITED);
  }

  /** The same with a limit of what kube-apiservers load; 0 for none. */
  public SpaceLimits withLoad(long bytes) {
    return new SpaceLimits(
        recordBytes, recordReserve, indexBytes, indexReserve, bytes == 0 ? UNLIMITED : bytes);
  }

  /**
   * Above the limit of what is loaded. {@link Growth} says which part of it a request may take: it
   * has no room for the largest requests, which are refused where they don't fit.
   */
  long loadReserve() {
    return loadBytes == UNLIMITED ? 0 : reserve(loadBytes, 0);
  }

  /**
   * The reserve above a limit: a 32nd of it, or room for two of the largest requests if that is
   * more, but at most an eighth.
   */
  public static long reserve(long limit, long maxRequestBytes) {
    return Math.min(
        limit / MOST_RESERVE_PARTS,
        Math.max(limit / RESERVE_PARTS, LARGE_REQUESTS * maxRequestBytes));
  }

  /** The largest limit that lies, with its reserve, within what there is. */
  public static long within(long bytes, long maxRequestBytes) {
    return Math.max(
        share(bytes, MOST_RESERVE_PARTS),
        Math.min(share(bytes, RESERVE_PARTS), bytes - LARGE_REQUESTS * maxRequestBytes));
  }

  private static long share(long bytes, int parts) {
    return bytes / (parts + 1) * parts;
  }
}
