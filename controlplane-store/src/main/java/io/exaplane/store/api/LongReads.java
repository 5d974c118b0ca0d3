// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.error.StoreException;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reads of an event loop that take more than a moment. In each turn of the loop one of them goes on
 * by a portion, in turn, so that a short request waits for one portion and not for all that others
 * read. While there are such requests the loop rests after a portion for as long as it took: a
 * thread that never rests keeps its processor from the store's other threads for whole slices of
 * the kernel's scheduler, which are longer than a request. Belongs to the loop.
 */
public final class LongReads {
  /** One of them. */
  public abstract static class Read {
    private final Consumer<StoreException> failure;
    private boolean queued;
    private long queuedAt;
    private long waitedNanos;
    private long workedNanos;

    /**
     * @param failure told why it can't go on when nobody foresaw that
     */
    protected Read(Consumer<StoreException> failure) {
      this.failure = failure;
    }

    /** How long it waited for its turns so far. */
    long waitedNanos() {
      return waitedNanos;
    }

    /** How long its turns took so far. */
    long workedNanos() {
      return workedNanos;
    }

    /** Neither done nor waiting for its client. */
    protected abstract boolean canGoOn();

    /** Goes on by a portion. */
    protected abstract void goOn();
  }

  /** Who asked so lately will ask again. */
  static final long LATELY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Ten portions: what took longer was no portion but a pause of the whole process. */
  private static final long MOST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final System.Logger LOG = System.getLogger(LongReads.class.getName());

  private final Portion portion;
  private final EventLoop loop;
  private final LongSupplier shortRequests;
  private final ArrayDeque<Read> queue = new ArrayDeque<>();
  private boolean scheduled;
  private long began;
  private long shortRequestsSeen;
  private long considerateUntil;

  /**
   * @param shortRequests grows when there were some
   */
  LongReads(EventLoop loop, Portion portion, LongSupplier shortRequests) {
    this.portion = portion;
    this.loop = loop;
    this.shortRequests = shortRequests;
    considerateUntil = loop.ticker().nanoTime();
  }

  public Portion portion() {
    return portion;
  }

  /** Lets a read have turns from now on, for as long as it can go on. */
  public void wake(Read read) {
    if (!read.queued && read.canGoOn()) {
      enqueue(read, loop.ticker().nanoTime());
      if (!scheduled) {
        schedule(0);
      }
    }
  }

  private void schedule(long restNanos) {
    scheduled = true;
    // A scheduled task waits for the next turn; one that is executed may still get into this one.
    loop.schedule(this::turn, restNanos, TimeUnit.NANOSECONDS);
  }

  private void turn() {
    began = loop.ticker().nanoTime();
    Read read = queue.poll();
    try {
      goOn(read);
    } catch (Throwable e) { // be it that memory is short: the others go on
      LOG.log(System.Logger.Level.ERROR, "a long read failed", e);
      fail(read, e);
    } finally {
      loop.execute(this::rest); // when what was written has gone out, too
    }
  }

  private void rest() {
    scheduled = false;
    if (!queue.isEmpty()) {
      long now = loop.ticker().nanoTime();
      schedule(othersAsked(now) ? Math.min(now - began, MOST_REST_NANOS) : 0);
    }
  }

  private void goOn(Read read) {
    read.queued = false;
    read.waitedNanos += began - read.queuedAt;
    if (read.canGoOn()) {
      read.goOn();
    }
    long now = loop.ticker().nanoTime();
    read.workedNanos += now - began;
    if (read.canGoOn()) {
      enqueue(read, now);
    }
  }

  private void enqueue(Read read, long now) {
    read.queued = true;
    read.queuedAt = now;
    queue.add(read);
  }

  private static void fail(Read read, Throwable why) {
    try {
      read.failure.accept(
          why instanceof StoreException known ? known : StoreException.unavailable(why.toString()));
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "the client of a failed read could not be told", e);
    }
  }

  private boolean othersAsked(long now) {
    long requests = shortRequests.getAsLong();
    if (requests != shortRequestsSeen) {
      shortRequestsSeen = requests;
      considerateUntil = now + LATELY_NANOS;
    }
    return now - considerateUntil < 0;
  }
}
