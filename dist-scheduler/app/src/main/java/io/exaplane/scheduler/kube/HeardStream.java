// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;

/**
 * An answer that knows for how long it has been waited for in vain. It is read by one thread;
 * {@link #isSilent} and {@link #close} are for any.
 */
final class HeardStream extends FilterInputStream {
  private static final long NOT_READING = Long.MIN_VALUE;

  private final LongSupplier nowNs;
  private volatile long mostNs;
  private volatile long readingSinceNs = NOT_READING;

  /**
   * Around an answer.
   *
   * @param mostNs how long a server that is there is silent at most
   */
  HeardStream(InputStream answer, LongSupplier nowNs, long mostNs) {
    super(answer);
    this.nowNs = nowNs;
    this.mostNs = mostNs;
  }

  /** The server turned out to speak more often. */
  void expectWithin(long ns) {
    mostNs = ns;
  }

  /** Whether nothing came for too long while somebody waited for it. */
  boolean isSilent() {
    long since = readingSinceNs;
    return since != NOT_READING && nowNs.getAsLong() - since > mostNs;
  }

  @Override
  public int read() throws IOException {
    readingSinceNs = nowNs.getAsLong();
    try {
      return super.read();
    } finally {
      readingSinceNs = NOT_READING;
    }
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    readingSinceNs = nowNs.getAsLong();
    try {
      return super.read(to, offset, length);
    } finally {
      readingSinceNs = NOT_READING;
    }
  }
}
