// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.trace;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/** Sums by Kind and operation. Bounded, whatever keys clients use. Thread-safe. */
final class Recording {
  /** Kinds times operations; further ones are summed up as one Kind. */
  private static final int MOST_ROWS = 4_096;

  private static final String OTHER = "other";
  private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);
  private static final int DIGITS = 2;
  private static final double MICROS_OF_MS = 1_000;

  private static final class Sum {
    long requests;
    long failed;
    long items;
    long requestBytes;
    long answerBytes;
    long totalNanos;
    final Histogram micros = new Histogram(LONGEST_MICROS, DIGITS);
  }

  private final Map<Asked, Sum> sums = new ConcurrentHashMap<>();
  private final AtomicLong connections = new AtomicLong();
  private final AtomicLong openWatches = new AtomicLong();
  private final LongSupplier nanoTime;
  private final long began;

  /**
   * @param nanoTime the time, ns
   */
  Recording(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  private Sum sum(Asked asked) {
    Asked counted =
        sums.size() < MOST_ROWS || sums.containsKey(asked)
            ? asked
            : new Asked(OTHER, asked.operation());
    return sums.computeIfAbsent(counted, _ -> new Sum());
  }

  /** A request was answered, well or not. */
  void ended(Asked asked, long nanos, boolean isFailed, long items, long asking, long answering) {
    Sum sum = sum(asked);
    synchronized (sum) {
      sum.requests++;
      sum.failed += isFailed ? 1 : 0;
      sum.items += items;
      sum.requestBytes += asking;
      sum.answerBytes += answering;
      sum.totalNanos += nanos;
      sum.micros.recordValue(Math.clamp(TimeUnit.NANOSECONDS.toMicros(nanos), 0, LONGEST_MICROS));
    }
  }

  /** A watch was opened. */
  void watched(Asked asked, long asking) {
    Sum sum = sum(asked);
    synchronized (sum) {
      sum.requests++;
      sum.requestBytes += asking;
    }
    openWatches.incrementAndGet();
  }

  /** A watch got events, progress or its end. */
  void events(Asked asked, long events, long answering) {
    Sum sum = sum(asked);
    synchronized (sum) {
      sum.items += events;
      sum.answerBytes += answering;
    }
  }

  void unwatched(long watches) {
    openWatches.addAndGet(-watches);
  }

  void connected() {
    connections.incrementAndGet();
  }

  /** What was found so far. */
  Trace trace(String endpoint) {
    double seconds = (nanoTime.getAsLong() - began) / 1e9;
    List<TraceRow> rows =
        sums.entrySet().stream()
            .map(each -> row(each.getKey(), each.getValue()))
            .sorted(
                Comparator.comparingLong(
                        (TraceRow row) -> -(row.requestBytes() + row.answerBytes()))
                    .thenComparing(TraceRow::kind)
                    .thenComparing(TraceRow::operation))
            .toList();
    return new Trace(endpoint, seconds, connections.get(), openWatches.get(), rows);
  }

  private static TraceRow row(Asked asked, Sum sum) {
    synchronized (sum) {
      boolean isTimed = sum.micros.getTotalCount() > 0;
      return new TraceRow(
          asked.kind(),
          asked.operation(),
          sum.requests,
          sum.failed,
          sum.items,
          sum.requestBytes,
          sum.answerBytes,
          isTimed ? sum.micros.getValueAtPercentile(50) / MICROS_OF_MS : 0,
          isTimed ? sum.micros.getValueAtPercentile(99) / MICROS_OF_MS : 0,
          isTimed ? sum.micros.getMaxValue() / MICROS_OF_MS : 0,
          sum.totalNanos / 1e6);
    }
  }
}
