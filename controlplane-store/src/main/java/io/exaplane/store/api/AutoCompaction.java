// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Compacts without being asked, as etcd does with {@code --auto-compaction-mode}
 * (server/etcdserver/api/v3compactor). Belongs to the writer.
 */
public sealed interface AutoCompaction {
  /** What is not due. */
  long NONE = Long.MIN_VALUE;

  /**
   * Looks whether something is due. Called often.
   *
   * @param nowMs never less than before
   * @param revision the newest
   * @return the revision at which to compact, {@link #NONE} if nothing is due; it may have been
   *     compacted already
   */
  long due(long nowMs, long revision);

  /** Only who asks has history compacted. */
  static AutoCompaction never() {
    return new Never();
  }

  /** History older than this is compacted: once a period, but at least once an hour. */
  static AutoCompaction after(Duration retention) {
    return new Periodic(retention.toMillis());
  }

  /** So many revisions are kept; looked at every five minutes. */
  static AutoCompaction beyond(long revisions) {
    return new Revisions(revisions);
  }

  /** Nothing is ever due. */
  final class Never implements AutoCompaction {
    @Override
    public long due(long nowMs, long revision) {
      return NONE;
    }
  }

  /** Takes down ten times an interval where the store is, so that it knows where it was then. */
  final class Periodic implements AutoCompaction {
    private static final long MOST_INTERVAL_MS = TimeUnit.HOURS.toMillis(1);
    private static final int SAMPLES_PER_INTERVAL = 10;

    private final long intervalMs;
    private final long sampleMs;
    private final long mostSamples;
    private final ArrayDeque<Long> samples = new ArrayDeque<>();
    private long waitMs;
    private long sampledMs;
    private long compactedMs;
    private long compacted;

    private Periodic(long retentionMs) {
      intervalMs = Math.min(retentionMs, MOST_INTERVAL_MS);
      sampleMs = Math.max(1, intervalMs / SAMPLES_PER_INTERVAL);
      mostSamples = retentionMs / sampleMs + 1;
      waitMs = retentionMs;
    }

    @Override
    public long due(long nowMs, long revision) {
      if (samples.isEmpty()) {
        compactedMs = nowMs;
      } else if (nowMs - sampledMs < sampleMs) {
        return NONE;
      }
      long due = samples.isEmpty() ? NONE : dueAt(nowMs, samples.getFirst());
      samples.add(revision);
      if (samples.size() > mostSamples) {
        samples.removeFirst();
      }
      sampledMs = nowMs;
      return due;
    }

    private long dueAt(long nowMs, long revision) {
      if (revision == compacted || nowMs - compactedMs < waitMs) {
        return NONE;
      }
      waitMs = intervalMs;
      compacted = revision;
      compactedMs = nowMs;
      return revision;
    }
  }

  /** Counts revisions. */
  final class Revisions implements AutoCompaction {
    private static final long INTERVAL_MS = TimeUnit.MINUTES.toMillis(5);

    private final long retention;
    private long lookedMs;
    private boolean hasLooked;

    private Revisions(long retention) {
      this.retention = retention;
    }

    @Override
    public long due(long nowMs, long revision) {
      boolean looks = hasLooked && nowMs - lookedMs >= INTERVAL_MS;
      if (looks || !hasLooked) {
        hasLooked = true;
        lookedMs = nowMs;
      }
      return looks && revision > retention ? revision - retention : NONE;
    }
  }
}
