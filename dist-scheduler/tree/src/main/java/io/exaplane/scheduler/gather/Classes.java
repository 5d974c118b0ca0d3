// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.gather;

import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.tree.Change;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The classes of pods of which members were told, and their numbers. One that no member needs any
 * more stays a while, since such pods often come back. For the cluster's thread.
 */
final class Classes {
  /** So many without pods are never too many. */
  private static final int FEW = 1024;

  private final BiConsumer<Integer, Change> tell;
  private final Map<PodSpec, Known> known = new HashMap<>();
  private int lastNumber;
  private int unused;

  /** A class that has a number. */
  static final class Known {
    private final PodSpec pods;
    private final int number;
    private final BitSet told = new BitSet();
    private long uses;
    private boolean gone;

    Known(PodSpec pods, int number) {
      this.pods = pods;
      this.number = number;
    }

    int number() {
      return number;
    }

    PodSpec pods() {
      return pods;
    }
  }

  /**
   * None.
   *
   * @param tell sends a change to a member
   */
  Classes(BiConsumer<Integer, Change> tell) {
    this.tell = tell;
  }

  /** The class of pods that are there for others to see; {@link #leaves} has to follow. */
  Known comes(PodClass pods) {
    Known same = ofPlaced(pods);
    use(same, 1);
    return same;
  }

  /** One less of them. */
  Known leaves(PodClass pods) {
    Known same = ofPlaced(pods);
    use(same, -1);
    return same;
  }

  /** The class of pods that are there for others to see, as before. */
  Known ofPlaced(PodClass pods) {
    if (pods.note() instanceof Known noted && !noted.gone) {
      return noted;
    }
    Known same = of(pods.spec().asSeenByOthers());
    pods.note(same);
    return same;
  }

  /** The class of these pods. */
  Known of(PodSpec pods) {
    Known same = known.get(pods);
    if (same == null) {
      same = new Known(pods, ++lastNumber);
      known.put(pods, same);
      unused++;
    }
    return same;
  }

  void use(Known one, int more) {
    boolean wasUsed = one.uses > 0;
    one.uses += more;
    unused += wasUsed == one.uses > 0 ? 0 : wasUsed ? 1 : -1;
  }

  /** The number of a class, of which a member knows from here on. */
  int tell(int member, Known one) {
    if (!one.told.get(member)) {
      one.told.set(member);
      tell.accept(member, new Change.ClassPut(one.number, one.pods));
    }
    return one.number;
  }

  /** A member knows nothing any more. */
  void forget(int member) {
    known.values().forEach(one -> one.told.clear(member));
  }

  /** Lets those go that nobody needs, if they are many. */
  void tidy() {
    if (unused <= FEW || unused <= known.size() / 2) {
      return;
    }
    Iterator<Known> all = known.values().iterator();
    while (all.hasNext()) {
      Known one = all.next();
      if (one.uses == 0) {
        one.gone = true;
        one.told.stream().forEach(member -> tell.accept(member, new Change.ClassGone(one.number)));
        all.remove();
      }
    }
    unused = 0;
  }
}
