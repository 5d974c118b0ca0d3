// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

/** What one instance of a client asked of one selection of objects: does it poll? */
final class Asked {
  private static final int REPEATS = 5;
  private static final double POLL_SECONDS = 60;
  private long firstMicros;
  private long lastMicros;
  private int lists;
  private int pages;
  private int ignoredLimits;
  private boolean begun;

  /** A first page, or a LIST without pages; only what reads much is counted. */
  void list(long micros, boolean much) {
    pages = 0;
    if (!much) {
      return;
    }
    if (lists == 0) {
      firstMicros = micros;
    }
    lastMicros = micros;
    lists++;
  }

  /** Notes that it begins, and returns whether it had begun before. */
  boolean beginsAnew() {
    boolean anew = begun;
    begun = true;
    return anew;
  }

  /** A watch of the same begins: the LIST before it was an informer's. */
  void watch() {
    lists = 0;
    ignoredLimits = 0;
  }

  /** A LIST whose limit the server ignored; client-go's informers begin with one, too. */
  void limitIgnored() {
    ignoredLimits++;
  }

  /** How often the limit was ignored; not for an informer, which wants everything anyway. */
  int ignoredLimits() {
    return ignoredLimits > 1 ? ignoredLimits : 0;
  }

  /** How many pages came before this one. */
  int nextPage() {
    return ++pages;
  }

  /** Again and again, on average at least once a minute, with no watch between. */
  boolean polls() {
    return lists >= REPEATS && (lastMicros - firstMicros) / 1e6 / (lists - 1) <= POLL_SECONDS;
  }
}
