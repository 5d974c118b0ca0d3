// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.guard;

/**
 * What the store of the nodes' Leases says of them. Immutable.
 *
 * @param alive renewed in time
 * @param missed not renewed in time, and not for so long that their nodes are dead
 * @param dead of dead nodes
 */
public record LeaseLook(Kind kind, long alive, long missed, long dead) {
  /** Whether there is an answer. */
  public enum Kind {
    /** The store counts. */
    COUNTED,
    /** The store does not answer. */
    UNREACHABLE,
    /** The store is of an engine or a version that does not count. */
    NOT_COUNTED
  }

  public static final LeaseLook UNREACHABLE = new LeaseLook(Kind.UNREACHABLE, 0, 0, 0);
  public static final LeaseLook NOT_COUNTED = new LeaseLook(Kind.NOT_COUNTED, 0, 0, 0);

  public static LeaseLook counted(long alive, long missed, long dead) {
    return new LeaseLook(Kind.COUNTED, alive, missed, dead);
  }

  /** Nodes that are not known to be dead. */
  long nodes() {
    return alive + missed;
  }
}
