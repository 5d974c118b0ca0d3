// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.placement.Candidates;
import io.exaplane.scheduler.gather.Gatherer;
import io.exaplane.scheduler.tree.Up;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Decides about pods by what shards say of nodes. They are asked about a class of pods again only
 * when what they said does not tell any more. For the cluster's thread, but for the counts.
 */
public final class ByShards {
  private static final int FEWEST = 16;
  private static final int MOST = 1024;

  /** Before it is known how many cells there are. */
  private static final int FIRST = 128;

  /** Of so many classes it is kept what was said. */
  private static final int KEPT = 64;

  private final Decider decider;
  private final Gatherer gatherer;

  private final LongAdder bySaid = new LongAdder();
  private final LongAdder alone = new LongAdder();
  private final Map<Object, Candidates> said =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Candidates> eldest) {
          return size() > KEPT;
        }
      };

  /**
   * Who decides.
   *
   * @param decider without reasons, of the gatherer's cluster
   */
  public ByShards(Decider decider, Gatherer gatherer) {
    this.decider = decider;
    this.gatherer = gatherer;
  }

  /** How many pods were decided about by what shards said. */
  public long bySaid() {
    return bySaid.sum();
  }

  /** How many were decided about here though shards could have told: not in time, or not enough. */
  public long alone() {
    return alone.sum();
  }

  /** Whether pods should be decided about by classes rather than one by one. */
  public boolean isWorthAsking() {
    return gatherer.isComplete();
  }

  /** Who is asked is told meanwhile that this process is there. */
  void look() {
    gatherer.look();
  }

  /** Equal for pods that are decided about together; null for one that is for itself. */
  public Object alike(PlacedPod pod) {
    return decider.takesCandidates(pod) ? decider.alike(pod) : null;
  }

  /** How many nodes of each cell are worth knowing; of how many cells is known from before. */
  private static int most(Candidates known, int toCome) {
    return known == null
        ? Math.min(FIRST, 2 * toCome + FEWEST)
        : Math.clamp(2L * toCome / Math.max(1, known.cellCount()) + FEWEST, FEWEST, MOST);
  }

  /** Null if there is no answer, or none that helps. */
  private Candidates ask(PlacedPod pod, Object key, int most) throws InterruptedException {
    Up.Answer answer = gatherer.ask(pod.spec(), most);
    if (answer == null) {
      return null;
    }
    Candidates fresh = decider.candidates(pod, answer.cells());
    said.put(key, fresh);
    return fresh;
  }

  /**
   * Whether and where a pod goes.
   *
   * @param toCome how many pods like this one will be decided about soon, itself included
   */
  public Decision decide(PlacedPod pod, int toCome) throws InterruptedException {
    if (!decider.takesCandidates(pod)) {
      return decider.decide(pod);
    }
    Object key = decider.alike(pod);
    Candidates known = said.get(key);
    if (known != null && known.isUntold()) {
      return decider.decide(pod);
    }
    Decision decision = known == null ? null : decider.decide(pod, known);
    if (decision == null) {
      Candidates fresh = ask(pod, key, most(known, toCome));
      decision = fresh == null ? null : decider.decide(pod, fresh);
    }
    if (decision == null) {
      alone.increment();
      return decider.decide(pod);
    }
    bySaid.increment();
    return decision;
  }
}
