// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Says the same thing once a minute, then with the number since. Whoever makes it say other things
 * all the time gets so many lines a minute at most, and costs bounded memory. Thread-safe.
 */
public final class SparseLog {
  private static final long AGAIN_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MOST_TEXTS = 512;
  private static final int MOST_LINES = 60;

  private static final class Seen {
    long saidAtNanos;
    long since;
  }

  private final String rest;
  private final LongSupplier nanoTime;
  private final Map<String, Seen> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > MOST_TEXTS;
        }
      };
  private long minuteBeganNanos;
  private int lines;

  /**
   * @param rest is said instead of what has no line in a minute
   * @param nanoTime the time
   */
  public SparseLog(String rest, LongSupplier nanoTime) {
    this.rest = rest;
    this.nanoTime = nanoTime;
    this.minuteBeganNanos = nanoTime.getAsLong();
  }

  /** Says a text, unless it was said within the last minute, or the minute has no line left. */
  public synchronized void say(Consumer<String> level, String text) {
    long now = nanoTime.getAsLong();
    Seen before = seen.get(text);
    if (before != null && now - before.saidAtNanos < AGAIN_AFTER_NANOS) {
      before.since++;
      return;
    }
    if (now - minuteBeganNanos >= AGAIN_AFTER_NANOS) {
      minuteBeganNanos = now;
      lines = 0;
    }
    if (lines == MOST_LINES) {
      level.accept(rest);
    }
    if (lines++ >= MOST_LINES) {
      return;
    }
    long times = before == null ? 0 : before.since;
    Seen current = new Seen();
    current.saidAtNanos = now;
    seen.put(text, current);
    level.accept(times == 0 ? text : text + " (and %d times since the last line)".formatted(times));
  }
}
