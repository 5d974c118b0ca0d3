// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * What passes ask of hosted APIs. Each request may take ten seconds, and a pass makes many. While a
 * pass waits, it sees and tells nothing else, so it waits a moment only. The requests go on beside
 * it, and their end brings the next pass, which gets the answer. Thread-safe.
 */
@ApplicationScoped
public class HostedCalls {
  /** An API that works needs a tenth of that for all objects of the operator. */
  public static final Duration MOST = Duration.ofSeconds(3);

  /** The pass that a late answer brings comes at once; an older answer is no longer true. */
  private static final Duration FRESH = Duration.ofSeconds(10);

  private final Map<String, Call<?>> calls = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("hosted-call-", 0).factory());
  private final Duration most;
  private final Clock clock;

  @Inject
  HostedCalls(Clock clock) {
    this(MOST, clock);
  }

  /** With another bound. */
  public HostedCalls(Duration most, Clock clock) {
    this.most = most;
    this.clock = clock;
  }

  /**
   * Asks, and waits at most {@link #MOST}. One call of a key is under way at a time; who comes
   * meanwhile gets no answer at once.
   *
   * @param key who asks for what
   * @param question what is asked; the answer to another one is not given
   * @param late called once after a call that nobody waits for any more
   * @return empty if there is no answer yet
   * @throws RuntimeException if the call does
   */
  public <T> Optional<T> within(String key, Object question, Supplier<T> ask, Runnable late) {
    Instant now = clock.instant();
    calls.values().removeIf(each -> each.isStale(now));
    Call<?> call =
        calls.compute(
            key,
            (_, before) ->
                before != null && (before.isUnderWay() || before.question.equals(question))
                    ? before
                    : new Call<>(question, ask));
    if (call.isAbandoned() && call.isUnderWay()) {
      return Optional.empty();
    }
    call.begin(threads);
    boolean isDone = call.await(most);
    if (!isDone && call.abandon(late)) {
      return Optional.empty();
    }
    calls.remove(key, call);
    if (!call.question.equals(question)) {
      // The answer to another question took the time of this one.
      late.run();
      return Optional.empty();
    }
    @SuppressWarnings("unchecked")
    Call<T> own = (Call<T>) call;
    return Optional.of(own.answer());
  }

  /** Whether a call is being carried out, whether or not somebody waits for its answer. */
  public boolean isUnderWay(String key) {
    Call<?> call = calls.get(key);
    return call != null && call.isUnderWay();
  }

  /** Forgets what somebody asked who is gone. */
  public void forget(String key) {
    Call<?> call = calls.remove(key);
    if (call != null) {
      call.cancel();
    }
  }

  @PreDestroy
  public void close() {
    threads.shutdownNow();
  }

  /** One call, which begins once. */
  private final class Call<T> {
    private final Object question;
    private final FutureTask<T> task;
    private Runnable late;
    private boolean begun;
    private boolean abandoned;
    private Instant ended;

    Call(Object question, Supplier<T> ask) {
      this.question = question;
      this.task =
          new FutureTask<>(ask::get) {
            @Override
            protected void done() {
              end();
            }
          };
    }

    synchronized void begin(ExecutorService threads) {
      if (!begun) {
        begun = true;
        threads.execute(task);
      }
    }

    synchronized boolean isUnderWay() {
      return ended == null;
    }

    synchronized boolean isAbandoned() {
      return abandoned;
    }

    synchronized boolean isStale(Instant now) {
      return ended != null && !now.isBefore(ended.plus(FRESH));
    }

    /** Nobody waits any more; false if it ended in this moment. */
    synchronized boolean abandon(Runnable then) {
      if (ended != null) {
        return false;
      }
      abandoned = true;
      late = then;
      return true;
    }

    private void end() {
      Runnable then;
      synchronized (this) {
        ended = clock.instant();
        then = late;
      }
      if (then != null) {
        then.run();
      }
    }

    boolean await(Duration time) {
      try {
        task.get(time.toMillis(), TimeUnit.MILLISECONDS);
        return true;
      } catch (TimeoutException e) {
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      } catch (ExecutionException e) {
        return true; // the answer is a failure
      }
    }

    T answer() {
      if (task.state() == Future.State.SUCCESS) {
        return task.resultNow();
      }
      throw task.state() == Future.State.FAILED
              && task.exceptionNow() instanceof RuntimeException failure
          ? failure
          : new KubernetesClientException("the hosted API was not asked to the end");
    }

    void cancel() {
      task.cancel(true);
    }
  }
}
