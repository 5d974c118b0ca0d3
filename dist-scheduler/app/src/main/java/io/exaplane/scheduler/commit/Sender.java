// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.kube.ApiWriter;
import io.exaplane.scheduler.kube.ApiWriter.Reply;
import io.exaplane.scheduler.kube.ApiWriter.Request;
import io.exaplane.scheduler.lease.Standing;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Sends requests until the server has said what becomes of them: one without an answer may have
 * been done, and one that was refused for the moment is sent again, after an error a few times. As
 * many at a time as the server takes. Any thread; it blocks the one that asks.
 */
final class Sender {
  private static final Logger LOG = Logger.getLogger(Sender.class);
  private static final long FIRST_PAUSE_MS = 50;
  private static final long LONGEST_PAUSE_MS = 5000;
  private static final int DOUBLINGS = 7;
  private static final int WORTH_A_WARNING = 6;

  /** After which an error is what the server has to say: a webhook that is down, for one. */
  private static final int MOST_ERRORS = 5;

  private final ApiWriter api;
  private final Supplier<Standing> standing;
  private final Concurrency concurrency;

  /**
   * Through a server.
   *
   * @param standing is asked before each request: nothing is sent while it is not held
   */
  Sender(ApiWriter api, Supplier<Standing> standing, Concurrency concurrency) {
    this.api = api;
    this.standing = standing;
    this.concurrency = concurrency;
  }

  /**
   * The server's last word.
   *
   * @throws FencedException if somebody else is in charge
   */
  Reply send(Request request) throws FencedException, InterruptedException {
    int unable = 0;
    for (int attempt = 0; ; attempt++) {
      String trouble;
      Duration atLeast = Duration.ZERO;
      try {
        Reply reply = once(request);
        unable += reply.isBusy() ? 0 : 1;
        if (!reply.isWorthAnotherTry() || unable > MOST_ERRORS) {
          return reply;
        }
        trouble = reply.message();
        atLeast = reply.retryAfter();
      } catch (IOException e) {
        trouble = e.toString();
      }
      if (attempt == WORTH_A_WARNING) {
        LOG.warnf(
            "%s: %d attempts failed: %s; the scheduler tries again", request, attempt + 1, trouble);
      }
      pause(attempt, atLeast);
    }
  }

  private Reply once(Request request) throws IOException, FencedException, InterruptedException {
    concurrency.acquire();
    long start = System.nanoTime();
    boolean overloaded = true;
    try {
      Standing now = standing.get();
      if (now == Standing.LOST) {
        throw new FencedException(request.toString());
      }
      if (now != Standing.HELD) {
        throw new IOException("this process is not in charge at the moment");
      }
      Reply reply = api.send(request);
      overloaded = reply.isWorthAnotherTry();
      return reply;
    } finally {
      long now = System.nanoTime();
      concurrency.release(overloaded, now - start, now);
    }
  }

  private static void pause(int attempt, Duration atLeast) throws InterruptedException {
    long ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(attempt, DOUBLINGS));
    Thread.sleep(Math.max(ms, atLeast.toMillis()) + ThreadLocalRandom.current().nextLong(ms + 1));
  }
}
