// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.util.Locale;

/**
 * Where the seconds of a test class go. Only what the class's own thread does is counted, and of
 * causes within each other the outermost one: so the sum is at most the class's time. Any thread.
 */
public final class Spent {
  /** What a test waits for. */
  public enum Cause {
    /** A process that begins, until it serves. */
    STARTS,

    /** What others do in their own time: controllers, clocks, probes. */
    WAITS
  }

  /** A cause that goes on until it is closed, by the thread that began it. */
  @FunctionalInterface
  public interface Going extends AutoCloseable {
    @Override
    void close();
  }

  private static final ThreadLocal<Spent> OF_THREAD = new ThreadLocal<>();
  private static final double SECOND_NS = 1e9;

  private final String id;
  private final long beganNs = System.nanoTime();
  private final long[] causesNs = new long[Cause.values().length];
  private boolean isGoing;

  private Spent(String id) {
    this.id = id;
  }

  /** From now on this thread's time has this cause, if the thread runs a test class. */
  public static Going on(Cause cause) {
    Spent spent = OF_THREAD.get();
    if (spent == null || spent.isGoing) {
      return () -> {};
    }
    long startNs = System.nanoTime();
    spent.isGoing = true;
    return () -> {
      spent.isGoing = false;
      spent.causesNs[cause.ordinal()] += System.nanoTime() - startNs;
    };
  }

  /** This thread begins a class, unless it is within another one. */
  static void begin(String id) {
    if (OF_THREAD.get() == null) {
      OF_THREAD.set(new Spent(id));
    }
  }

  /**
   * This thread has ended the class.
   *
   * @return seconds in all and of each cause, between tabs; empty unless the class began here
   */
  static String end(String id) {
    Spent spent = OF_THREAD.get();
    if (spent == null || !spent.id.equals(id)) {
      return "";
    }
    OF_THREAD.remove();
    StringBuilder line = new StringBuilder(seconds(System.nanoTime() - spent.beganNs));
    for (long causeNs : spent.causesNs) {
      line.append('\t').append(seconds(causeNs));
    }
    return line.toString();
  }

  private static String seconds(long ns) {
    return String.format(Locale.ROOT, "%.3f", ns / SECOND_NS);
  }
}
