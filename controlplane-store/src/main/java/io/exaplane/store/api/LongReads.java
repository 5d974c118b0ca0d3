// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Reads of an event loop that take more than a moment. In each turn of the loop one of them goes on
 * by a portion, in turn, so that a short request waits for one portion and not for all that others
 * read. Belongs to the loop.
 */
final class LongReads {
  /** One of them. */
  interface Read {
    /** Goes on by a portion; false if it is done or waits for its client. */
    boolean goOn();
  }

  final Portion portion;
  private final EventLoop loop;
  private final ArrayDeque<Read> queue = new ArrayDeque<>();
  private boolean scheduled;

  LongReads(EventLoop loop, Portion portion) {
    this.portion = portion;
    this.loop = loop;
  }

  /** Lets a read go on, until it says that it does not. It must not be among them already. */
  void add(Read read) {
    queue.add(read);
    schedule();
  }

  private void schedule() {
    if (!scheduled && !queue.isEmpty()) {
      scheduled = true;
      // A scheduled task waits for the next turn; one that is executed may still get into this one.
      loop.schedule(this::turn, 0, TimeUnit.NANOSECONDS);
    }
  }

  private void turn() {
    scheduled = false;
    Read read = queue.poll();
    try {
      if (read.goOn()) {
        queue.add(read);
      }
    } finally {
      schedule();
    }
  }
}
