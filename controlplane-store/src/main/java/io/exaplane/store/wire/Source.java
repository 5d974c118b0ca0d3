// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One source of connections and what was wrong with them: frames that are no HTTP/2, messages that
 * are no request, handshakes that fail. A source of many such offences is restrained for a while:
 * its connections are read seldom, and it may not have many. Thread-safe.
 */
final class Source {
  /** So many in a window are forgiven; a client that is only mistaken does not notice. */
  static final int FORGIVEN = 100;

  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);
  static final long PAUSE_MS = 100;

  /** Connections of a restrained source; more are closed at once. */
  static final int MOST_CONNECTIONS = 16;

  private static final System.Logger LOG = System.getLogger(Source.class.getName());

  private final String name;
  private final LongSupplier nanoTime;
  private int connections;
  private int offences;
  private long windowEnd;
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

  synchronized void connect() {
    connections++;
  }

  /** It has more connections than it may. */
  synchronized boolean isCrowded() {
    return connections > MOST_CONNECTIONS && isRestrained();
  }

  synchronized void disconnect() {
    connections--;
  }

  synchronized void offend() {
    long now = nanoTime.getAsLong();
    if (now - windowEnd >= 0) {
      windowEnd = now + WINDOW_NANOS;
      offences = 0;
    }
    offences++;
    if (offences <= FORGIVEN && !isRestrained()) {
      return;
    }
    if (!isRestrained()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} sends what is no HTTP/2, no TLS or no request of etcd: it is read every {1} ms until"
              + " it has stopped for {2} s; see what runs there",
          name,
          PAUSE_MS,
          TimeUnit.NANOSECONDS.toSeconds(WINDOW_NANOS));
    }
    restrainedUntil = now + WINDOW_NANOS;
  }

  boolean isRestrained() {
    return nanoTime.getAsLong() - restrainedUntil < 0;
  }

  synchronized boolean isForgettable() {
    return connections == 0 && !isRestrained();
  }
}
