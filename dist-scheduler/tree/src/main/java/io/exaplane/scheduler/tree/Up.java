// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import io.exaplane.scheduler.placement.BestOfCell;
import java.util.List;

/** What goes up the tree. */
public sealed interface Up {
  /** What a process does in the tree. */
  enum Kind {
    /** It has nodes. */
    SHARD,
    /** It stands between shards and the root. */
    RELAY
  }

  /**
   * A process wants to be a member.
   *
   * @param token of this attempt, which no other has
   * @param name for people
   * @param model how it reads and writes what objects are like ({@link ModelCodec#FINGERPRINT})
   * @param depth how many steps it is away from who hears it: 1 just below the root
   */
  record Hello(long token, Kind kind, String name, String model, int depth) implements Up {}

  /**
   * Best nodes, of some shards together.
   *
   * @param id of what was asked
   * @param cells null if they cannot tell
   * @param from whose they are
   */
  record Answer(long id, List<BestOfCell> cells, List<Took> from) implements Up {}

  /** How long a shard worked on its answer. */
  record Took(int member, int micros) {}

  /** A member is there. */
  record Pong(long id, int member, int nodes) implements Up {}

  /** A member is gone, or cannot be reached. */
  record Left(int member) implements Up {}
}
