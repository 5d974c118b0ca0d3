// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.exaplane.cli.measure.MeasurementException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** What a load has at hand while it runs. Thread-safe but for {@link #pause} and {@link #await}. */
final class Run {
  private static final long LOOK_MS = 100;
  private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long ANSWER_SECONDS = 90;

  private final String id;
  private final Api api;
  private final LoopTimer timer;
  private final Books books;
  private final RandomGenerator random;
  private final Load load;
  private final Consumer<String> tell;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final long beganNanos;
  private long toldNanos;
  private long toldRequests;
  private double cpuSecondsBefore;

  Run(
      String id,
      Api api,
      LoopTimer timer,
      Books books,
      RandomGenerator random,
      Load load,
      Consumer<String> tell) {
    this.id = id;
    this.api = api;
    this.timer = timer;
    this.books = books;
    this.random = random;
    this.load = load;
    this.tell = tell;
    this.beganNanos = timer.nanos();
    this.toldNanos = beganNanos;
  }

  String id() {
    return id;
  }

  Api api() {
    return api;
  }

  Timer timer() {
    return timer;
  }

  Books books() {
    return books;
  }

  RandomGenerator random() {
    return random;
  }

  /** Begins a part of the measurement. */
  void begin(String phase) {
    books.begin(phase);
    toldRequests = 0;
    cpuSecondsBefore = LoadBench.cpuSeconds();
  }

  /** What this process had used when the last part began. */
  double cpuSecondsBefore() {
    return cpuSecondsBefore;
  }

  /** Lets nobody wait any more: {@link #await} and its like throw. */
  void stop() {
    stopped.countDown();
  }

  /** Lets the load go on for a time. */
  void pause(Duration time) {
    look(time, () -> false);
  }

  /** Waits until something holds, or a time is over. */
  void until(Duration most, BooleanSupplier isDone) {
    look(most, isDone);
  }

  /**
   * Waits until something holds.
   *
   * @throws MeasurementException if it does not in time
   */
  void await(Duration most, String what, BooleanSupplier isDone) {
    if (!look(most, isDone)) {
      throw new MeasurementException(
          "%s after %d s (%s); see the requests that failed%s"
              .formatted(what, most.toSeconds(), load.progress(), firstProblem()));
    }
  }

  private String firstProblem() {
    return books.problems().entrySet().stream()
        .findFirst()
        .map(each -> ": " + each.getKey() + ": " + each.getValue())
        .orElse("");
  }

  private boolean look(Duration most, BooleanSupplier isDone) {
    long end = timer.nanos() + most.toNanos();
    while (!isDone.getAsBoolean()) {
      long left = end - timer.nanos();
      if (left <= 0) {
        return false;
      }
      tick(Math.min(TimeUnit.NANOSECONDS.toMillis(left) + 1, LOOK_MS));
      tell();
    }
    return true;
  }

  private void tick(long millis) {
    Optional<Throwable> failure = timer.failure();
    if (failure.isPresent()) {
      throw new IllegalStateException(failure.get());
    }
    try {
      if (stopped.await(millis, TimeUnit.MILLISECONDS)) {
        throw new MeasurementException("interrupted; run the command again to measure");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private void tell() {
    long now = timer.nanos();
    if (now - toldNanos < TOLD_NANOS) {
      return;
    }
    long requests = books.requests();
    tell.accept(
        String.format(
            Locale.ROOT,
            "%3d s: %s, %d watches, %.1f requests/s, p99 %.1f ms, 409: %d, 429: %d, no answer: %d",
            (now - beganNanos) / TOLD_NANOS,
            load.progress(),
            books.watching(),
            (requests - toldRequests) * 1e9 / (now - toldNanos),
            books.recentP99(),
            books.withStatus(Answer.CONFLICT),
            books.withStatus(Answer.TOO_MANY_REQUESTS),
            books.withStatus(Answer.NONE)));
    toldNanos = now;
    toldRequests = requests;
  }

  /** Sends a request and waits for the answer; not on the load's thread. */
  Answer ask(Call call) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    api.send(call, answer::complete);
    try {
      return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return Answer.none("no answer within %d s".formatted(ANSWER_SECONDS));
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * The same for what has to succeed.
   *
   * @throws MeasurementException with what the server says instead
   */
  Answer must(Call call) {
    Answer answer = ask(call);
    if (!answer.isOk()) {
      throw new MeasurementException(
          "%s: %s; check the rights of the account".formatted(call.operation(), answer.words()));
    }
    return answer;
  }
}
