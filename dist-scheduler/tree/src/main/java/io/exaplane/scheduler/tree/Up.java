// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import io.exaplane.scheduler.engine.placement.BestOfCell;
import java.util.ArrayList;
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
   * @param model how it reads and writes what objects are like ({@link TreeCodec#FINGERPRINT})
   * @param via the relays between it and who hears this, the nearest to it first
   */
  record Hello(long token, Kind kind, String name, String model, List<String> via) implements Up {
    /** The same as it is heard above a relay. */
    public Hello through(String relay) {
      List<String> longer = new ArrayList<>(via);
      longer.add(relay);
      return new Hello(token, kind, name, model, List.copyOf(longer));
    }
  }

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
