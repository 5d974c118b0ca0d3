// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets the first request of a client go alone, until its answer begins. Requests that begin
 * together would open a connection each, with a handshake of TLS, and the JDK keeps one of them.
 * Thread-safe.
 */
final class Opening {
  /** The others wait so long, at most: a server that is silent must not stop them twice. */
  private static final long MOST_SECONDS = 5;

  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch answered = new CountDownLatch(1);

  /** Returns when the request may go. */
  void enter() throws InterruptedException {
    if (begun.compareAndSet(false, true)) {
      return;
    }
    if (!answered.await(MOST_SECONDS, TimeUnit.SECONDS)) {
      leave();
    }
  }

  /** An answer begins, or the request failed. */
  void leave() {
    answered.countDown();
  }
}
