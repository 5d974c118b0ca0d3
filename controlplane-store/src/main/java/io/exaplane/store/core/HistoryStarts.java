// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.kind.KeyClass;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.core.request.RangeRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Revisions from which on there is history, of the keys that have less of it than the store as a
 * whole: by window, see {@link KeyClasses#window}; and of those that the last start may have lost
 * writes of, see {@link KeyClasses#isLossy}. Immutable.
 */
public final class HistoryStarts {
  /** Of a window that has all that the store has. */
  public static final long NOT_YET = -1;

  /** Keys with a prefix, and their window. */
  private record Keys(String prefix, KeyRange range, int window, boolean isLossy) {
    static Keys of(PrefixRule rule, KeyClasses classes) {
      byte[] prefix = rule.prefix().getBytes(StandardCharsets.UTF_8);
      return new Keys(
          rule.prefix(), KeyRange.ofPrefix(prefix), classes.window(rule), classes.isLossy(rule));
    }
  }

  private final List<Keys> longestFirst;
  private final long[] byWindow;
  private final long afterLoss;
  private final long newest;

  private HistoryStarts(List<Keys> longestFirst, long[] byWindow, long afterLoss) {
    this.longestFirst = longestFirst;
    this.byWindow = byWindow;
    this.afterLoss = afterLoss;
    this.newest = Math.max(afterLoss, Arrays.stream(byWindow).max().orElseThrow());
  }

  /** All as the store. */
  static HistoryStarts none(KeyClasses classes) {
    long[] byWindow = new long[classes.windows()];
    Arrays.fill(byWindow, NOT_YET);
    return new HistoryStarts(
        classes.rules().stream().map(rule -> Keys.of(rule, classes)).toList(), byWindow, NOT_YET);
  }

  /** The newest of all. */
  public long newest() {
    return newest;
  }

  /** That of a window; {@link #NOT_YET} of {@link KeyClasses#NO_WINDOW}. */
  public long of(int window) {
    return byWindow[window];
  }

  /**
   * That of a range: the newest of those of the prefixes that it touches, up to the one that it is
   * wholly in.
   */
  public long of(KeyRange range) {
    long start = NOT_YET;
    for (Keys keys : longestFirst) {
      if (keys.range.meets(range)) {
        start = Math.max(start, Math.max(byWindow[keys.window], keys.isLossy ? afterLoss : start));
        if (keys.range.holds(range)) {
          return start;
        }
      }
    }
    return start;
  }

  /** Whether a request asks for keys below their start. */
  boolean hide(long revision, RangeRequest request) {
    return revision < newest && revision < of(request.range());
  }

  /** With a later start of a window. */
  HistoryStarts with(int window, long revision) {
    long[] moved = byWindow.clone();
    moved[window] = Math.max(moved[window], revision);
    return new HistoryStarts(longestFirst, moved, afterLoss);
  }

  /** With nothing before a revision of the keys that a start may have lost writes of. */
  HistoryStarts afterLoss(long revision) {
    return new HistoryStarts(longestFirst, byWindow, revision);
  }

  /** That of a class of keys, with what a start may have lost. */
  public long of(KeyClass keys, KeyClasses classes) {
    return Math.max(byWindow[keys.window()], classes.isLossy(keys.rule()) ? afterLoss : NOT_YET);
  }

  /** The start of every prefix that there is a rule for, for {@link #restored}. */
  public Map<String, Long> byPrefix() {
    Map<String, Long> starts = new TreeMap<>();
    longestFirst.forEach(keys -> starts.put(keys.prefix, byWindow[keys.window]));
    return starts;
  }

  /**
   * As they were told before a restart, or null if they were those of other rules.
   *
   * @param starts those of {@link #byPrefix}
   */
  HistoryStarts restored(Map<String, Long> starts) {
    if (!starts.keySet().equals(byPrefix().keySet())) {
      return null;
    }
    HistoryStarts restored = this;
    for (Keys keys : longestFirst) {
      long start = starts.get(keys.prefix);
      if (start > NOT_YET && keys.window == KeyClasses.NO_WINDOW) {
        return null;
      }
      restored = restored.with(keys.window, start);
    }
    return restored;
  }
}
