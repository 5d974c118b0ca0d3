// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.SpaceScope;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Compacts a store that is nearly full, whoever else does or doesn't, so that what was replaced or
 * deleted is not kept at the cost of what is to come. Belongs to the writer.
 *
 * <p>It takes down twice a second where the store was. When a limit is nearly reached it lets go
 * the oldest part of the history: so much that half of what is left of the limit beside live data
 * is empty, or, if there is not so much, all that is older than {@link #SHORTEST_MS}. Whoever comes
 * back within that time, a watch whose connection broke, goes on without a gap; what is not handed
 * out yet to watches that keep up is never touched. When the reserve is half used, renewals are in
 * danger, and the time is {@link #LEAST_MS}.
 */
final class SelfCompaction {
  /**
   * A client connects anew within a second or two. And who deletes something from a full store has
   * its room after this, an interval and the time to clean: less than 10 s.
   */
  static final long SHORTEST_MS = 5_000;

  static final long LEAST_MS = 1_000;

  /** kube-apiserver itself compacts what is older than this. */
  private static final long LONGEST_MS = TimeUnit.MINUTES.toMillis(5);

  private static final long SAMPLE_MS = 500;

  /** Between two compactions: each is written to the journal. */
  private static final long INTERVAL_MS = 2_000;

  private static final double DUE = 0.95;

  /** What a compaction gains at least while nothing is refused: this part of a limit. */
  private static final long LEAST_GAIN_PARTS = 256;

  /** Compactions that follow each other in less are told of once. */
  private static final long BURST_MS = TimeUnit.MINUTES.toMillis(1);

  private static final System.Logger LOG = System.getLogger(SelfCompaction.class.getName());

  /**
   * Where the store was.
   *
   * @param replaced bytes of what had become history by then, by scope
   */
  private record Sample(long atMs, long revision, long[] replaced) {}

  private final Keyspace keyspace;
  private final List<SpaceScope> scopes;
  private final ArrayDeque<Sample> samples = new ArrayDeque<>();
  private long compactedMs = Long.MIN_VALUE / 2;
  private long count;

  SelfCompaction(Keyspace keyspace) {
    this.keyspace = keyspace;
    this.scopes = keyspace.space().scopes().stream().filter(SpaceScope::countsHistory).toList();
  }

  /** Takes down where the store is; to be called often, when all that was applied is committed. */
  void look(long nowMs) {
    if (!samples.isEmpty() && nowMs - samples.getLast().atMs < SAMPLE_MS) {
      return;
    }
    long[] replaced = new long[scopes.size()];
    for (int i = 0; i < replaced.length; i++) {
      replaced[i] = scopes.get(i).replacedBytes().getAsLong();
    }
    samples.add(new Sample(nowMs, keyspace.revision(), replaced));
    while (nowMs - samples.getFirst().atMs > LONGEST_MS) {
      samples.removeFirst();
    }
  }

  /**
   * The revision at which to compact, {@link AutoCompaction#NONE} if nothing is due. To be asked
   * when space is short and all is let go that was compacted before.
   */
  long due(long nowMs) {
    if (nowMs - compactedMs < INTERVAL_MS) {
      return AutoCompaction.NONE;
    }
    long youngestMs = nowMs - (isReserveInDanger() ? LEAST_MS : SHORTEST_MS);
    Sample best = null;
    for (Sample sample : samples) {
      if (sample.atMs > youngestMs || best != null && suffices(best)) {
        break;
      }
      best = sample.revision > keyspace.compactedRevision() ? sample : best;
    }
    if (best == null || !gains(best)) {
      return AutoCompaction.NONE;
    }
    tell(nowMs);
    compactedMs = nowMs;
    count++;
    return best.revision;
  }

  /** Compactions so far. */
  long count() {
    return count;
  }

  private void tell(long nowMs) {
    if (nowMs - compactedMs >= BURST_MS) {
      LOG.log(
          System.Logger.Level.INFO,
          "space is short: the store compacts by itself and keeps at least {0} s of history",
          TimeUnit.MILLISECONDS.toSeconds(SHORTEST_MS));
    }
  }

  private static boolean isNearlyFull(SpaceScope scope) {
    return scope.used() >= DUE * scope.limitBytes();
  }

  /** Whether a limit is nearly reached. */
  boolean isSpaceShort() {
    for (int i = 0; i < scopes.size(); i++) {
      if (isNearlyFull(scopes.get(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean isReserveInDanger() {
    return scopes.stream().anyMatch(scope -> scope.reserveUsed() > scope.reserveBytes() / 2);
  }

  private boolean suffices(Sample sample) {
    for (int i = 0; i < scopes.size(); i++) {
      SpaceScope scope = scopes.get(i);
      long live = scope.used() - scope.history();
      long room = Math.max(0, (long) (DUE * scope.limitBytes()) - live);
      if (isNearlyFull(scope) && scope.used() - gain(sample, i) > live + room / 2) {
        return false;
      }
    }
    return true;
  }

  private boolean gains(Sample sample) {
    for (int i = 0; i < scopes.size(); i++) {
      SpaceScope scope = scopes.get(i);
      long least = scope.isFull() ? 1 : scope.limitBytes() / LEAST_GAIN_PARTS;
      if (isNearlyFull(scope) && gain(sample, i) >= least) {
        return true;
      }
    }
    return false;
  }

  /** Bytes that a compaction there would free. */
  private long gain(Sample sample, int scope) {
    return sample.replaced[scope] - scopes.get(scope).freedBytes().getAsLong();
  }
}
