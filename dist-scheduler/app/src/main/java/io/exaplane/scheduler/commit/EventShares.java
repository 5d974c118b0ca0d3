// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many Events pods that are alike get: they are refused in the same words, thousands of them at
 * once, and would leave no room for Events of others. For a while each gets its own, after that a
 * few a second do; what keeps a pod is in its condition PodScheduled in any case. One thread at a
 * time.
 */
final class EventShares {
  static final int AT_ONCE = 500;
  static final int A_SECOND = 20;
  private static final int MOST_REMEMBERED = 1000;
  private static final float LOAD = 0.75f;

  private record Words(String reporter, String reason, String note) {}

  private static final class Share {
    private double left = AT_ONCE;
    private Instant at;

    Share(Instant now) {
      at = now;
    }

    boolean take(Instant now) {
      double seconds = Math.max(0, Duration.between(at, now).toNanos() / 1e9);
      left = Math.min(AT_ONCE, left + seconds * A_SECOND);
      at = now;
      if (left < 1) {
        return false;
      }
      left--;
      return true;
    }
  }

  /** Those first of which nothing was told for longest. */
  private final Map<Words, Share> shares =
      new LinkedHashMap<>(16, LOAD, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Words, Share> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  /** Whether something new may be told now; it counts. */
  boolean mayTell(Notice notice, Instant now) {
    Words words = new Words(notice.reporter(), notice.reason(), notice.note());
    return !notice.warning() || shares.computeIfAbsent(words, w -> new Share(now)).take(now);
  }
}
