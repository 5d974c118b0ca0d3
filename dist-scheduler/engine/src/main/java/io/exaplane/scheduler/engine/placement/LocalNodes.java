// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import java.util.BitSet;
import java.util.function.Supplier;

/**
 * The nodes that a class of pods could go to if other pods went, where nothing but the node and its
 * pods decides. Good as long as nodes and surroundings stay as they are. For its cluster's thread.
 */
public final class LocalNodes {
  private final BitSet possible;
  private final NodeTest test;
  private Object kept;

  LocalNodes(BitSet possible, NodeTest test) {
    this.possible = possible;
    this.test = test;
  }

  /** The nodes to which nothing speaks against the class but their pods; not to be changed. */
  public BitSet possible() {
    return possible;
  }

  /** What asks one of them about the pods on it. */
  public NodeTest test() {
    return test;
  }

  /** What preemption knows of the class; it is let go together with this. */
  public <T> T keep(Class<T> type, Supplier<T> made) {
    if (kept == null) {
      kept = made.get();
    }
    return type.cast(kept);
  }
}
