// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.guard;

import java.time.Duration;

/**
 * What the store of the nodes' Leases says of them. Immutable.
 *
 * @param alive renewed in time
 * @param missed not renewed in time, and not for so long that their nodes are dead
 * @param dead of dead nodes
 * @param countedFor since when the store counts: of a node that was silent since then it knows
 *     nothing
 */
public record LeaseLook(Kind kind, long alive, long missed, long dead, Duration countedFor) {
  /** Of a store that knows every node. */
  private static final Duration ALWAYS = Duration.ofDays(1000);

  /** Whether there is an answer. */
  public enum Kind {
    /** The store counts. */
    COUNTED,
    /** The store does not answer. */
    UNREACHABLE,
    /** The store is of an engine or a version that does not count. */
    NOT_COUNTED,
    /** The operator does not know yet how the store is asked. */
    NOT_ASKED
  }

  public static final LeaseLook UNREACHABLE = new LeaseLook(Kind.UNREACHABLE, 0, 0, 0, ALWAYS);
  public static final LeaseLook NOT_COUNTED = new LeaseLook(Kind.NOT_COUNTED, 0, 0, 0, ALWAYS);
  public static final LeaseLook NOT_ASKED = new LeaseLook(Kind.NOT_ASKED, 0, 0, 0, ALWAYS);

  public static LeaseLook counted(long alive, long missed, long dead) {
    return new LeaseLook(Kind.COUNTED, alive, missed, dead, ALWAYS);
  }

  /** The same of a store that began to count so long ago. */
  public LeaseLook countedFor(Duration time) {
    return new LeaseLook(kind, alive, missed, dead, time);
  }

  /**
   * With the nodes of before that the store cannot know, since it began to count later than they
   * fell silent: they are missed.
   *
   * @param before nodes that were known to live
   * @param within for so long a silent node is one that is missed, and not one that is gone
   * @param after of a store that counts for less than that, nothing is said: nodes may renew yet
   */
  LeaseLook remembering(long before, Duration within, Duration after) {
    boolean isYoung = countedFor.compareTo(within) < 0 && countedFor.compareTo(after) >= 0;
    return kind == Kind.COUNTED && isYoung && nodes() + dead < before
        ? new LeaseLook(kind, alive, before - dead - alive, dead, countedFor)
        : this;
  }

  /** Nodes that are not known to be dead. */
  long nodes() {
    return alive + missed;
  }
}
