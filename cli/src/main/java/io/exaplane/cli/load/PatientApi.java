// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Repeats requests as client-go does: a 429 or 5xx with Retry-After is sent again after that time,
 * ten times at most. Other answers are the caller's. Thread-safe.
 *
 * <p>Source, in Kubernetes 1.37: {@code client-go/rest/with_retry.go} (IsNextRetry, checkWait), and
 * {@code client-go/rest/request.go} (maxRetries 10). Watches are not repeated: {@link WatchLoop}
 * has the reflector's own pauses.
 */
final class PatientApi implements Api {
  private static final int MOST = 10;
  private static final Answer STOPPED = Answer.none("the load has ended");

  private final Api api;
  private final Timer timer;
  private long underWay;
  private boolean isStopped;

  PatientApi(Api api, Timer timer) {
    this.api = api;
    this.timer = timer;
  }

  /**
   * Sends no request from now on: neither a new one, which gets status 0, nor one that waits to be
   * repeated, which gets its last answer. What was sent before counts as {@link #underWay}.
   */
  synchronized void stop() {
    isStopped = true;
  }

  /** Requests that are sent and have no answer yet. */
  synchronized long underWay() {
    return underWay;
  }

  @Override
  public void send(Call call, Consumer<Answer> then) {
    send(call, then, STOPPED, 0);
  }

  private void send(Call call, Consumer<Answer> then, Answer last, int repeated) {
    synchronized (this) {
      if (!isStopped) {
        underWay++;
        api.send(call, answer -> answered(call, then, answer, repeated));
        return;
      }
    }
    timer.execute(() -> then.accept(last));
  }

  private void answered(Call call, Consumer<Answer> then, Answer answer, int repeated) {
    synchronized (this) {
      underWay--;
    }
    OptionalInt seconds = answer.repeatAfterSeconds();
    if (seconds.isEmpty() || repeated >= MOST) {
      then.accept(answer);
    } else {
      timer.after(
          TimeUnit.SECONDS.toNanos(seconds.getAsInt()),
          () -> send(call, then, answer, repeated + 1));
    }
  }

  @Override
  public Runnable open(Call call, Watcher watcher) {
    return api.open(call, watcher);
  }
}
