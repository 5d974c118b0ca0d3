// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import java.util.List;

/**
 * Who takes the space of a store. Kinds and namespaces are the largest ones, the largest first.
 *
 * @param keys that exist
 * @param bytes of what they are now; negative if the store does not tell
 * @param historyBytes of that and all versions that are kept; negative if the store does not tell
 * @param estimated whether bytes were worked out from samples
 */
public record Usage(
    long keys,
    double bytes,
    double historyBytes,
    boolean estimated,
    List<Share> kinds,
    List<Share> namespaces) {
  /** What the store does not tell. */
  public static final double UNKNOWN = -1;

  /** Of one group; {@code historyBytes} is told for Kinds only. */
  public record Share(
      String kind, String namespace, String prefix, long keys, double bytes, double historyBytes) {}
}
