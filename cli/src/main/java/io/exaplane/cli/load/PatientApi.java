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

  private final Api api;
  private final Timer timer;

  PatientApi(Api api, Timer timer) {
    this.api = api;
    this.timer = timer;
  }

  @Override
  public void send(Call call, Consumer<Answer> then) {
    send(call, then, 0);
  }

  private void send(Call call, Consumer<Answer> then, int repeated) {
    api.send(
        call,
        answer -> {
          OptionalInt seconds = answer.repeatAfterSeconds();
          if (seconds.isEmpty() || repeated >= MOST) {
            then.accept(answer);
          } else {
            timer.after(
                TimeUnit.SECONDS.toNanos(seconds.getAsInt()), () -> send(call, then, repeated + 1));
          }
        });
  }

  @Override
  public Runnable open(Call call, Watcher watcher) {
    return api.open(call, watcher);
  }
}
