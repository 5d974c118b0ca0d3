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
  private static final String INTERRUPTED = "interrupted; run the command again to measure";

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

  /** Tells the user something at once; nothing for empty words. */
  void warn(String words) {
    if (!words.isEmpty()) {
      tell.accept(words);
    }
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

  /** Runs a task on the load's thread, and waits for its end. */
  void onTimer(Runnable task) {
    CountDownLatch done = new CountDownLatch(1);
    timer.execute(
        () -> {
          task.run();
          done.countDown();
        });
    look(Duration.ofSeconds(ANSWER_SECONDS), () -> done.getCount() == 0);
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
        throw new MeasurementException(INTERRUPTED);
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
    return ask(call, Duration.ofSeconds(ANSWER_SECONDS));
  }

  /** The same, with a shorter time to wait. */
  Answer ask(Call call, Duration most) {
    long millis = Math.clamp(most.toMillis(), 1, TimeUnit.SECONDS.toMillis(ANSWER_SECONDS));
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    api.send(call, answer::complete);
    try {
      return answer.get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return Answer.none("no answer within %d ms".formatted(millis));
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
   * @throws MeasurementException with what the server says instead, or if the load was stopped
   */
  Answer must(Call call) {
    if (stopped.getCount() == 0) {
      throw new MeasurementException(INTERRUPTED);
    }
    Answer answer = ask(call);
    if (!answer.isOk()) {
      throw new MeasurementException(
          "%s: %s; check the rights of the account".formatted(call.operation(), answer.words()));
    }
    return answer;
  }
}
