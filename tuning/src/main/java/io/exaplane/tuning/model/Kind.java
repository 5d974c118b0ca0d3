// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

/**
 * The objects of a resource, all together.
 *
 * @param resource with its group, as in coordination.k8s.io/leases; of the core group alone
 * @param objects how many there are
 * @param bytes of one, as it is stored
 * @param writesPerSecond to all of them
 * @param watchers clients, at all kube-apiservers together, that are told of every write
 * @param cached whether kube-apiserver keeps them in a watch cache
 * @param decodedRatio memory of a decoded object by its stored bytes
 */
public record Kind(
    String resource,
    double objects,
    double bytes,
    double writesPerSecond,
    double watchers,
    boolean cached,
    double decodedRatio) {
  /** Seconds of history that the watch cache wants to keep, and events that it keeps at most. */
  static final double HISTORY_SECONDS = 75;

  static final double HISTORY_EVENTS = 102_400;

  /** Bytes of all the objects in the store, without their older versions. */
  public double storedBytes() {
    return objects * bytes;
  }

  /** Bytes of all the objects in one kube-apiserver's watch cache. */
  public double cachedBytes() {
    return cached ? storedBytes() * decodedRatio : 0;
  }

  /** Bytes of the watch cache's history of events. */
  double historyBytes() {
    return cached
        ? Math.min(HISTORY_SECONDS * writesPerSecond, HISTORY_EVENTS) * bytes * decodedRatio
        : 0;
  }

  /** Seconds after which a client that was away finds its revision gone from the watch cache. */
  public double historySeconds() {
    return writesPerSecond == 0
        ? HISTORY_SECONDS
        : Math.min(HISTORY_SECONDS, HISTORY_EVENTS / writesPerSecond);
  }
}
