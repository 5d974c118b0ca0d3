// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.kube.ApiWriter.Reply;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/**
 * Writes what is said of pods that wait: of each pod one thing after the other, and of what was
 * said while another was being written only the last. What is there already is not written again.
 * Any thread.
 */
final class PodStatuses {
  private static final Logger LOG = Logger.getLogger(PodStatuses.class);

  private final Sender sender;
  private final Executor threads;

  /** By uid. */
  private final Map<String, Entry> entries = new HashMap<>();

  private static final class Entry {
    /** What the server has, as far as it is known. */
    private PodStatus written;

    private PodStatus next;

    /** Null while nobody writes. */
    private CountDownLatch ended;
  }

  PodStatuses(Sender sender, Executor threads) {
    this.sender = sender;
    this.threads = threads;
  }

  /** Lets something be written soon. */
  void say(PodRef pod, PodStatus status) {
    synchronized (entries) {
      Entry entry = entries.computeIfAbsent(pod.uid(), uid -> new Entry());
      entry.next = status.after(entry.next);
      if (entry.ended == null) {
        entry.ended = new CountDownLatch(1);
        threads.execute(() -> write(pod, entry));
      }
    }
  }

  /** Waits until nothing is being written; what was not begun is not written. */
  void settle(PodRef pod) throws InterruptedException {
    synchronized (entries) {
      Entry entry = entries.get(pod.uid());
      if (entry != null) {
        entry.next = null;
      }
    }
    awaitEnd(pod);
  }

  /** Lets something be written, and waits until it is, or cannot be. */
  void write(PodRef pod, PodStatus status) throws InterruptedException {
    say(pod, status);
    awaitEnd(pod);
  }

  /** Of this pod alone: thousands may wait at a time. */
  private void awaitEnd(PodRef pod) throws InterruptedException {
    for (CountDownLatch ended = writing(pod); ended != null; ended = writing(pod)) {
      ended.await();
    }
  }

  /** Null if nothing is being written. */
  private CountDownLatch writing(PodRef pod) {
    synchronized (entries) {
      Entry entry = entries.get(pod.uid());
      return entry == null ? null : entry.ended;
    }
  }

  /** A pod is gone, or on a node. */
  void forget(String uid) {
    synchronized (entries) {
      Entry entry = entries.remove(uid);
      if (entry != null) {
        entry.next = null;
      }
    }
  }

  private void write(PodRef pod, Entry entry) {
    boolean ended = false;
    try {
      for (PodStatus next = next(entry); next != null; next = next(entry)) {
        Reply reply = sender.send(Requests.status(pod, next, isFirst(entry), Instant.now()));
        boolean gone = reply.status() == HttpStatus.NOT_FOUND;
        if (!reply.isSuccess() && !gone) {
          LOG.warnf("%s: the status was not written: %s", pod, reply.message());
        }
        synchronized (entries) {
          // After an error it may be there all the same.
          entry.written = reply.isSuccess() || gone ? next : null;
        }
      }
      ended = true;
    } catch (FencedException e) {
      LOG.debugf("%s: not written, since another process is in charge", pod);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!ended) {
        end(entry);
      }
    }
  }

  /** Whether the condition was not written yet. */
  private boolean isFirst(Entry entry) {
    synchronized (entries) {
      return entry.written == null || entry.written.reason() == null;
    }
  }

  /** What is to be written, if it is not there already; else nobody writes any more. */
  private PodStatus next(Entry entry) {
    synchronized (entries) {
      PodStatus next = entry.next == null ? null : entry.next.after(entry.written);
      entry.next = null;
      boolean isNews = next != null && !next.equals(entry.written);
      if (!isNews) {
        end(entry);
      }
      return isNews ? next : null;
    }
  }

  private void end(Entry entry) {
    synchronized (entries) {
      entry.ended.countDown();
      entry.ended = null;
    }
  }
}
