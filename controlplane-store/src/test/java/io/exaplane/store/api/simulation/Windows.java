// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import java.util.List;
import java.util.TreeMap;

/**
 * The rules that a simulated store has for keys that begin with /a/, /b/ and /c/, and what may be
 * told of their past.
 */
final class Windows {
  private static final long A_MS = 1000;
  private static final long C_MS = 3000;
  private static final Follower A = new Follower("/a/", "/a0", false, false, 0, 0);
  private static final Follower C = new Follower("/c/", "/c0", false, false, 0, 0);

  private final boolean isMixed;
  private final boolean areThere;
  private final TreeMap<Long, Long> revisions = new TreeMap<>();

  /**
   * @param areMixed whether keys differ by durability
   * @param areThere whether they differ by history, too
   */
  Windows(boolean areMixed, boolean areThere) {
    this.isMixed = areMixed;
    this.areThere = areThere;
  }

  KeyClasses classes() {
    return new KeyClasses(
        List.of(
            rule("/a/", Durability.MEMORY, A_MS),
            rule("/b/", Durability.BUFFERED, 0),
            rule("/c/", Durability.FSYNC, C_MS)),
        Durability.FSYNC);
  }

  private PrefixRule rule(String prefix, Durability durability, long historyMs) {
    return new PrefixRule(
        prefix, 0, isMixed ? durability : Durability.FSYNC, areThere ? historyMs : 0);
  }

  /** Whether a restart loses nothing of a range, even if keys differ by durability. */
  static boolean isDurable(Follower range) {
    return range.start.compareTo("/b0") >= 0;
  }

  /** The store was at this revision, or an older one, at a time. */
  void note(long nowMs, long revision) {
    revisions.merge(nowMs, revision, Math::max);
  }

  /** Whether an answer at a time may be that a revision is too old for keys of a range. */
  boolean areOver(String start, String end, long revision, long nowMs) {
    Follower range = new Follower(start, end, false, false, 0, 0);
    return areThere
        && (touch(range, A) && revision < revision(nowMs - A_MS)
            || touch(range, C) && revision < revision(nowMs - C_MS));
  }

  private static boolean touch(Follower range, Follower prefix) {
    return prefix.wants(range.start)
        || range.wants(prefix.start)
        || range.wants(prefix.start + "0");
  }

  private long revision(long atMs) {
    var then = revisions.floorEntry(atMs);
    return then == null ? 0 : then.getValue();
  }
}
