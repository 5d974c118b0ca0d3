// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.kube.ApiWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Answers one request after another as it was told to, and those after them with 200. */
final class ScriptedApi implements ApiWriter {
  /** What was asked, in order. */
  final List<Request> asked = new CopyOnWriteArrayList<>();

  private final ConcurrentLinkedDeque<Object> script = new ConcurrentLinkedDeque<>();

  ScriptedApi answer(int status, Map<String, Object> object) {
    script.add(new Reply(status, Duration.ZERO, object));
    return this;
  }

  ScriptedApi unreachable() {
    script.add(new IOException("connection refused"));
    return this;
  }

  /** The next request waits for this. */
  ScriptedApi after(CountDownLatch event) {
    script.add(event);
    return this;
  }

  List<String> methods() {
    return asked.stream().map(Request::toString).toList();
  }

  @Override
  public Reply send(Request request) throws IOException, InterruptedException {
    asked.add(request);
    Object next = script.poll();
    while (next instanceof CountDownLatch event) {
      if (!event.await(30, TimeUnit.SECONDS)) {
        throw new IOException("nothing happened");
      }
      next = script.poll();
    }
    if (next instanceof IOException trouble) {
      throw trouble;
    }
    return next == null ? new Reply(200, Duration.ZERO, Map.of()) : (Reply) next;
  }
}
