// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

/**
 * The numbers of the nodes on which pods came or went last, or began or ceased to wait, in order,
 * each as often as that happened. Whoever follows remembers how far it has read. Belongs to one
 * {@link Cluster} and its thread; a ring of 256 KiB.
 */
public final class ChangedNodes {
  private static final int KEPT = 1 << 16;

  private final int[] ring = new int[KEPT];
  private long end;

  void add(int node) {
    ring[(int) (end++ & (KEPT - 1))] = node;
  }

  /** Where the next change will be. */
  public long end() {
    return end;
  }

  /** Whether the changes from there on are still kept. */
  public boolean keeps(long position) {
    return end - position <= KEPT;
  }

  /** The node of a change that is kept. */
  public int at(long position) {
    return ring[(int) (position & (KEPT - 1))];
  }
}
