// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.port.ApiPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An engine that runs: one thread decides, a virtual thread carries out each request. All methods
 * may be called by any thread. The queue to the deciding thread is bounded: watches wait when it is
 * full.
 *
 * <p>Without {@link Options#follow}, one runner makes one pass over its sources: what it knows of
 * the server is not kept fresh after that.
 */
public final class Runner implements AutoCloseable {
  private static final int QUEUE = 4_096;

  private final Engine engine;
  private final Requests requests;
  private final Consumer<Notice> notices;
  private final BlockingQueue<Runnable> queue = new ArrayBlockingQueue<>(QUEUE);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Future<?>> watches = new HashMap<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final Thread thread;
  private final CompletableFuture<Summary> ended = new CompletableFuture<>();
  private volatile boolean closed;
  private final AtomicLong events = new AtomicLong();

  private record Waiting(ApplySet set, CompletableFuture<Summary> done) {}

  /**
   * Starts.
   *
   * @param api the server; the caller closes it after the runner
   * @param options how to work
   * @param notices told what happens, by the deciding thread: must not block
   */
  public Runner(ApiPort api, Options options, Consumer<Notice> notices) {
    engine = new Engine(options);
    requests = new Requests(api, options.manager(), Runner::nowMs);
    this.notices = notices;
    thread = Thread.ofVirtual().name("apply-engine").start(this::run);
  }

  /** Milliseconds of a clock that no one sets; greater than zero. */
  private static long nowMs() {
    return (System.nanoTime() >>> 1) / 500_000 + 1;
  }

  /**
   * Says what a source wants from now on.
   *
   * @param set the source
   * @param manifests all its objects
   * @param complete whether these are all: nothing is pruned while a file could not be read
   * @throws InterruptedException when interrupted
   */
  public void want(ApplySet set, List<Manifest> manifests, boolean complete)
      throws InterruptedException {
    Event.Desired event = new Event.Desired(set, manifests, complete);
    tell(() -> step(event));
  }

  /**
   * Lets go of a source: its objects and its inventory stay as they are, and other sources go on.
   * What is under way for it may or may not be done.
   *
   * @param set the source
   * @throws InterruptedException when interrupted
   */
  public void release(ApplySet set) throws InterruptedException {
    Event.Released event = new Event.Released(set);
    tell(() -> step(event));
  }

  /** Puts something into the queue of a thread that may have ended. */
  private void tell(Runnable what) throws InterruptedException {
    do {
      if (ended.isDone()) {
        throw new IllegalStateException("the engine ended; make another runner");
      }
    } while (!queue.offer(what, 1, TimeUnit.SECONDS));
  }

  /**
   * Waits until everything was tried, pruned and saved.
   *
   * @param set the source
   * @param limit how long to wait at most
   * @return how it stands then
   * @throws TimeoutException when the limit is over; {@link #summary} says what is left
   * @throws InterruptedException when interrupted
   */
  public Summary awaitIdle(ApplySet set, Duration limit)
      throws InterruptedException, TimeoutException {
    CompletableFuture<Summary> done = new CompletableFuture<>();
    tell(() -> waiting.add(new Waiting(set, done)));
    return get(done, limit);
  }

  /**
   * How a source stands now.
   *
   * @param set the source
   * @return a copy
   * @throws InterruptedException when interrupted
   */
  public Summary summary(ApplySet set) throws InterruptedException {
    return ask(() -> engine.summary(set));
  }

  /**
   * Whether nothing of a source is left to do but to wait for changes or to try again what failed.
   *
   * @param set the source
   * @return as {@link Engine#idle}
   * @throws InterruptedException when interrupted
   */
  public boolean idle(ApplySet set) throws InterruptedException {
    return ask(() -> engine.idle(set));
  }

  /**
   * Whether the server had an inventory of a source when the engine read or wrote that last.
   *
   * @param set the source
   * @return as {@link Engine#hasInventory}
   * @throws InterruptedException when interrupted
   */
  public boolean hasInventory(ApplySet set) throws InterruptedException {
    return ask(() -> engine.hasInventory(set));
  }

  private <T> T ask(Supplier<T> question) throws InterruptedException {
    CompletableFuture<T> done = new CompletableFuture<>();
    tell(() -> done.complete(question.get()));
    try {
      return get(done, Duration.ofMinutes(1));
    } catch (TimeoutException e) {
      throw new IllegalStateException("the engine did not answer for 1 minute", e);
    }
  }

  /**
   * How many events the engine has taken in, without the going of time: while the number stays, no
   * source stands otherwise than before.
   *
   * @return grows only
   */
  public long events() {
    return events.get();
  }

  /**
   * Whether the engine ended, by {@link #close} or by a fault of its own.
   *
   * @return true for ever then: make another one
   */
  public boolean hasEnded() {
    return closed || ended.isDone();
  }

  private <T> T get(CompletableFuture<T> done, Duration limit)
      throws InterruptedException, TimeoutException {
    try {
      // What still stands in the queue when the deciding thread ends is never looked at.
      CompletableFuture.anyOf(done, ended).get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return done.join();
    } catch (ExecutionException | CancellationException e) {
      throw new IllegalStateException("the engine ended: " + e.getMessage(), e);
    }
  }

  private void run() {
    try {
      while (!closed) {
        long wait = Math.max(0, engine.nextWakeMs() - nowMs());
        Runnable next = queue.poll(Math.min(wait, 60_000), TimeUnit.MILLISECONDS);
        if (next == null) {
          step(new Event.Tick());
        } else {
          next.run();
        }
        waiting.removeIf(this::finished);
      }
    } catch (InterruptedException e) {
      // Closed: what waits is told below.
    } catch (RuntimeException | Error e) {
      waiting.forEach(one -> one.done().completeExceptionally(e));
      ended.completeExceptionally(e);
      throw e;
    } finally {
      closed = true;
      waiting.forEach(one -> one.done().cancel(false));
      ended.cancel(false);
      threads.shutdownNow();
    }
  }

  private boolean finished(Waiting one) {
    return engine.idle(one.set()) && one.done().complete(engine.summary(one.set()));
  }

  private void step(Event event) {
    List<Action> actions = engine.on(event, nowMs());
    if (!(event instanceof Event.Tick)) {
      events.incrementAndGet();
    }
    for (Action action : actions) {
      switch (action) {
        case Action.Tell one -> notices.accept(one.notice());
        case Action.Page one -> {
          stop(one.groupKind());
          send(action);
        }
        case Action.Watch one -> {
          stop(one.groupKind());
          watches.put(one.groupKind(), send(action));
        }
        default -> send(action);
      }
    }
  }

  private void stop(String groupKind) {
    Future<?> old = watches.remove(groupKind);
    if (old != null) {
      old.cancel(true);
    }
  }

  private Future<?> send(Action action) {
    return threads.submit(
        () -> {
          requests.carryOut(action, this::arrived);
          return null;
        });
  }

  /** Called by the threads of requests. */
  private void arrived(Event event) {
    try {
      queue.put(() -> step(event));
    } catch (InterruptedException e) {
      // Closed, or a watch that another one replaced: nobody waits for the event.
      Thread.currentThread().interrupt();
    }
  }

  /** Ends all requests and the deciding thread; what is under way may or may not be done. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    threads.shutdownNow();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
