// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.gather;

import io.exaplane.scheduler.tree.Up;
import java.util.List;

/**
 * How the tree is.
 *
 * @param epoch of the root; 0 if it is not in charge
 * @param complete whether shards know all nodes, and answer
 * @param members those that are there
 * @param answered rounds that all shards answered
 * @param missed rounds that not all answered in time: the root looked at all nodes itself
 */
public record Picture(
    long epoch, boolean complete, List<Seen> members, long answered, long missed) {
  /** Where there is no tree. */
  public static final Picture NONE = new Picture(0, false, List.of(), 0, 0);

  /**
   * A member.
   *
   * @param number by which the root knows it
   * @param via the relays between it and the root, the nearest to it first
   * @param nodes that it has
   * @param weight its share, compared with what others get; 0 of one that has no nodes
   * @param micros how long it works on an answer, on average lately
   * @param silentNs since when nothing was heard of it
   */
  public record Seen(
      int number,
      String name,
      Up.Kind kind,
      List<String> via,
      int nodes,
      double weight,
      double micros,
      long silentNs) {}
}
