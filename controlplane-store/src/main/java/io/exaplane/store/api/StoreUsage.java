// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.kind.KeyGroup;
import java.util.List;

/**
 * Who takes the space of a store: what is live, that is, the newest version of each key.
 *
 * @param atMs when the whole store had been read, in milliseconds since 1970
 * @param loadBytes of a kube-apiserver's memory, as estimated
 * @param kinds the largest ones, that with the most bytes first
 * @param namespaces the largest ones of a Kind each
 */
public record StoreUsage(
    long atMs, long keys, long bytes, long loadBytes, List<Share> kinds, List<Share> namespaces) {

  /**
   * Keys of a group, and what their newest versions take.
   *
   * @param loadBytes of a kube-apiserver's memory, as estimated
   */
  public record Share(KeyGroup group, long keys, long bytes, long loadBytes) {}
}
