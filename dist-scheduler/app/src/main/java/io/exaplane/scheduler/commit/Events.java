// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.kube.ApiWriter.Reply;
import io.exaplane.scheduler.kube.ApiWriter.Request;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jboss.logging.Logger;

/**
 * Tells users what happened. The same about the same pod is one Event that counts; it is written
 * again a minute after the last time at the earliest. Events help nobody who waits for the server:
 * of those that come faster than they are written, some are not, and neither are all of what is
 * told of very many pods in the same words. Any thread.
 */
final class Events {
  private static final Logger LOG = Logger.getLogger(Events.class);

  /** Waiting to be written. */
  private static final int MOST_WAITING = 2000;

  /** Remembered, in order to count. */
  private static final int MOST_REMEMBERED = 20_000;

  private static final long AGAIN_SECONDS = 60;

  /** After which the same is told as something new. */
  private static final long NEW_SECONDS = 360;

  private final Sender sender;
  private final Executor threads;
  private final String host;
  private final AtomicInteger waiting = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();

  /** What was told lately; those first that were told first. */
  private final Map<Notice, Told> told = new LinkedHashMap<>();

  private final EventShares shares = new EventShares();

  private static final class Told {
    private final String name;
    private int count = 1;
    private Instant last;
    private Instant written;

    Told(String name, Instant now) {
      this.name = name;
      last = now;
      written = now;
    }
  }

  /**
   * Through a server.
   *
   * @param host where this process runs
   */
  Events(Sender sender, Executor threads, String host) {
    this.sender = sender;
    this.threads = threads;
    this.host = host;
  }

  /** Tells it soon, or never. */
  void tell(Notice notice, Instant now) {
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      if (dropped.sum() == 0) {
        LOG.warn("The API server is slower than the Events arrive; some Events are left out");
      }
      dropped.increment();
      return;
    }
    Request request = request(notice, now);
    if (request == null) {
      waiting.decrementAndGet();
    } else {
      threads.execute(() -> write(notice, request));
    }
  }

  private Request request(Notice notice, Instant now) {
    String instance = notice.reporter() + "-" + host;
    synchronized (told) {
      Told before = told.get(notice);
      if (before != null && now.isBefore(before.last.plusSeconds(NEW_SECONDS))) {
        before.count++;
        before.last = now;
        if (now.isBefore(before.written.plusSeconds(AGAIN_SECONDS))) {
          return null;
        }
        before.written = now;
        return Requests.eventSeries(notice.pod(), before.name, before.count, now);
      }
      if (!shares.mayTell(notice, now)) {
        dropped.increment();
        return null;
      }
      String name =
          notice.pod().name()
              + "."
              + Long.toHexString(now.getEpochSecond() * 1_000_000_000 + now.getNano());
      told.remove(notice);
      told.put(notice, new Told(name, now));
      if (told.size() > MOST_REMEMBERED) {
        told.remove(told.keySet().iterator().next());
      }
      return Requests.event(notice, name, instance, now);
    }
  }

  private void write(Notice notice, Request request) {
    try {
      Reply reply = sender.send(request);
      if (!reply.isSuccess() && reply.status() != HttpStatus.CONFLICT) {
        LOG.debugf("%s: %s", request, reply.message());
        synchronized (told) {
          told.remove(notice);
        }
      }
    } catch (FencedException e) {
      LOG.debugf("%s: not written, since another process is in charge", request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting.decrementAndGet();
    }
  }

  /** How many were not written. */
  long dropped() {
    return dropped.sum();
  }
}
