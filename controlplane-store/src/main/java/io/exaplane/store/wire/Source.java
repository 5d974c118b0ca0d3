// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One source of connections and what was wrong with them: frames that are no HTTP/2, messages that
 * are no request, handshakes that fail. A source of many such offences is restrained for a while:
 * its connections are read seldom, and it may not have many, nor new ones often. Thread-safe.
 */
final class Source {
  /** So many in a window are forgiven; a client that is only mistaken does not notice. */
  static final int FORGIVEN = 100;

  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);
  static final long PAUSE_MS = 100;

  /**
   * Calls taken back keep up a restraint so long: most of the time for those who do nothing else,
   * and not for ever for one who does it since its calls wait too long.
   */
  static final long PROLONGED_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Connections of a restrained source; more are closed at once. */
  static final int MOST_CONNECTIONS = 16;

  private static final System.Logger LOG = System.getLogger(Source.class.getName());

  private final String name;
  private final LongSupplier nanoTime;
  private int connections;
  private long connectedAt;
  private int offences;
  private long windowEnd;
  private long offendedAt;
  private volatile long restrainedUntil;

  /**
   * @param name for the log
   */
  Source(String name, LongSupplier nanoTime) {
    this.name = name;
    this.nanoTime = nanoTime;
    windowEnd = nanoTime.getAsLong();
    restrainedUntil = windowEnd;
  }

  /** Takes a connection in, or says no: of a restrained source few, and one now and then. */
  synchronized boolean connect() {
    long now = nanoTime.getAsLong();
    boolean isSoon = now - connectedAt < TimeUnit.MILLISECONDS.toNanos(PAUSE_MS);
    if (isRestrained() && (isSoon || connections >= MOST_CONNECTIONS)) {
      return false;
    }
    connections++;
    connectedAt = now;
    return true;
  }

  synchronized void disconnect() {
    connections--;
  }

  /**
   * Counts something that was wrong.
   *
   * @param weight as so many
   */
  synchronized void offend(int weight) {
    long now = nanoTime.getAsLong();
    if (now - windowEnd >= 0) {
      windowEnd = now + WINDOW_NANOS;
      offences = 0;
    }
    offences += weight;
    offendedAt = now;
    if (offences <= FORGIVEN && !isRestrained()) {
      return;
    }
    if (!isRestrained()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} sends bytes that are not HTTP/2, not TLS or not a request of etcd. The store reads from"
              + " this client every {1} ms until the client has stopped for {2} s; check that client",
          name,
          PAUSE_MS,
          TimeUnit.NANOSECONDS.toSeconds(WINDOW_NANOS));
    }
    restrainedUntil = now + WINDOW_NANOS;
  }

  /** Keeps up a restraint, for a while behind the last offence: what a good client may do. */
  synchronized void prolong() {
    long now = nanoTime.getAsLong();
    if (isRestrained() && now - offendedAt < PROLONGED_NANOS) {
      restrainedUntil = now + WINDOW_NANOS;
    }
  }

  @Override
  public String toString() {
    return name;
  }

  boolean isRestrained() {
    return nanoTime.getAsLong() - restrainedUntil < 0;
  }

  /** Without connections, and nothing of what it did counts any more. */
  synchronized boolean isForgettable() {
    boolean counts = nanoTime.getAsLong() - windowEnd < 0;
    return connections == 0 && !counts && !isRestrained();
  }
}
