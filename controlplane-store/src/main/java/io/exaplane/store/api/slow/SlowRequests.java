// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.slow;

import io.exaplane.store.api.slow.SlowRequest.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells of requests that took long: a line for each as long as there are few, then one line that
 * sums up the rest, and counts by method, Kind and phase. A fast request costs a comparison.
 * Thread-safe.
 */
public final class SlowRequests {
  /** Lines within a window; a slow disk makes every request slow. */
  static final int MOST_LINES = 10;

  static final long WINDOW_MS = 10_000;

  /** Groups that a summary names. */
  private static final int MOST_GROUPS = 5;

  /** Series of the counter, and groups of a window: clients choose keys, and so Kinds. */
  private static final int MOST_SERIES = 1024;

  private static final String OTHER = "other";
  private static final System.Logger LOG = System.getLogger(SlowRequests.class.getName());

  /** Has something done after a time. */
  @FunctionalInterface
  public interface Later {
    void after(long ms, Runnable task);
  }

  private record Series(String method, String kind, Phase phase) {}

  /**
   * Slow requests since the start.
   *
   * @param method as {@code Range}
   * @param phase where most of their time went: queue, apply, journal or send
   */
  public record Count(String method, String kind, String phase, long requests) {}

  /** What a summary says of a method and a Kind. */
  private static final class Group {
    final String name;
    long requests;
    long mostNanos;

    Group(String name) {
      this.name = name;
    }
  }

  private final long thresholdNanos;
  private final LongSupplier nanoTime;
  private final Consumer<String> log;
  private final Map<Series, LongAdder> counts = new ConcurrentHashMap<>();
  private final Map<String, Group> leftOut = new HashMap<>();
  private long windowBegan;
  private int lines = MOST_LINES;
  private boolean isSummed;

  /**
   * @param thresholdNanos what takes so long is slow; 0 if nothing is
   * @param nanoTime the time by which requests are measured
   * @param log takes lines
   */
  public SlowRequests(long thresholdNanos, LongSupplier nanoTime, Consumer<String> log) {
    this.thresholdNanos = thresholdNanos > 0 ? thresholdNanos : Long.MAX_VALUE;
    this.nanoTime = nanoTime;
    this.log = log;
    this.windowBegan = nanoTime.getAsLong() - TimeUnit.MILLISECONDS.toNanos(WINDOW_MS);
  }

  /** Writes them into the process's log. */
  public static SlowRequests logged(long thresholdNanos) {
    return new SlowRequests(
        thresholdNanos, System::nanoTime, line -> LOG.log(System.Logger.Level.WARNING, line));
  }

  /** The time now. */
  public long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** Whether a request that took so long is slow. */
  public boolean isSlow(long nanos) {
    return nanos >= thresholdNanos;
  }

  /**
   * Counts a request if it was slow, and writes a line if there is room.
   *
   * @param later for the summary of what is left out
   */
  public void add(SlowRequest request, Later later) {
    if (isSlow(request.nanos())) {
      count(request);
      if (hasLine(request, later)) {
        log.accept(request.line()); // without the lock: a log may be slow, too
      }
    }
  }

  private void count(SlowRequest request) {
    String method = request.method().substring(request.method().indexOf('/') + 1);
    Series series = new Series(method, request.asked().kind(), request.longest());
    if (counts.size() >= MOST_SERIES && !counts.containsKey(series)) {
      series = new Series(method, OTHER, request.longest());
    }
    counts.computeIfAbsent(series, _ -> new LongAdder()).increment();
  }

  /** Whether there is room for a line; otherwise the summary has the request. */
  private synchronized boolean hasLine(SlowRequest request, Later later) {
    long now = nanoTime.getAsLong();
    if (now - windowBegan >= TimeUnit.MILLISECONDS.toNanos(WINDOW_MS) && !isSummed) {
      windowBegan = now;
      lines = 0;
    }
    if (lines < MOST_LINES) {
      lines++;
      return true;
    }
    String name = request.method() + " of " + request.asked().kind();
    if (leftOut.size() >= MOST_SERIES && !leftOut.containsKey(name)) {
      name = request.method() + " of " + OTHER;
    }
    Group group = leftOut.computeIfAbsent(name, Group::new);
    group.requests++;
    group.mostNanos = Math.max(group.mostNanos, request.nanos());
    if (!isSummed) {
      isSummed = true;
      long passedMs = TimeUnit.NANOSECONDS.toMillis(now - windowBegan);
      later.after(Math.max(1, WINDOW_MS - passedMs), () -> log.accept(sumUp()));
    }
    return false;
  }

  private synchronized String sumUp() {
    isSummed = false;
    List<Group> groups = new ArrayList<>(leftOut.values());
    leftOut.clear();
    groups.sort(
        Comparator.comparingLong((Group group) -> -group.requests).thenComparing(g -> g.name));
    long all = groups.stream().mapToLong(group -> group.requests).sum();
    StringBuilder line = new StringBuilder();
    line.append(all).append(" more slow requests in the last ");
    line.append(TimeUnit.MILLISECONDS.toSeconds(WINDOW_MS)).append(" s without a line:");
    long named = 0;
    for (Group group : groups.subList(0, Math.min(MOST_GROUPS, groups.size()))) {
      line.append(' ').append(group.requests).append(' ').append(group.name);
      line.append(" (slowest ").append(SlowRequest.ms(group.mostNanos)).append(" ms);");
      named += group.requests;
    }
    if (all > named) {
      line.append(' ').append(all - named).append(" others;");
    }
    line.append(" see exaplane_store_slow_requests_total");
    return line.toString();
  }

  /** All counts so far. */
  public List<Count> counts() {
    return counts.entrySet().stream()
        .map(
            each ->
                new Count(
                    each.getKey().method(),
                    each.getKey().kind(),
                    each.getKey().phase().name().toLowerCase(Locale.ROOT),
                    each.getValue().sum()))
        .sorted(
            Comparator.comparing(Count::method)
                .thenComparing(Count::kind)
                .thenComparing(Count::phase))
        .toList();
  }
}
