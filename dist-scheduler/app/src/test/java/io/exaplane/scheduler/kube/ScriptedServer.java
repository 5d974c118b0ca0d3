// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Answers one request after another as it was told to; then it stops who asks. */
final class ScriptedServer implements ApiStream {
  /** What was asked, in order. */
  final List<String> asked = new ArrayList<>();

  private final Deque<Object> script = new ArrayDeque<>();
  private Runnable end = () -> {};

  ScriptedServer answer(int status, byte[]... parts) {
    script.add(new Answer(status, Duration.ZERO, new ByteArrayInputStream(Wire.joined(parts))));
    return this;
  }

  ScriptedServer busy(int seconds) {
    InputStream body = new ByteArrayInputStream(Wire.status(429, "too many requests"));
    script.add(new Answer(429, Duration.ofSeconds(seconds), body));
    return this;
  }

  /** Nothing more is heard on this answer until it is closed. */
  ScriptedServer silent(CountDownLatch opened) {
    script.add(new Answer(200, Duration.ZERO, new SilentStream(opened)));
    return this;
  }

  /** Something happens when the next request comes. */
  ScriptedServer meanwhile(Runnable event) {
    script.add(event);
    return this;
  }

  ScriptedServer unreachable() {
    script.add(new IOException("connection refused"));
    return this;
  }

  /** What happens when somebody asks after the last answer. */
  void afterwards(Runnable end) {
    this.end = end;
  }

  @Override
  public Answer get(String pathAndQuery, String accept) throws IOException {
    asked.add(pathAndQuery);
    Object next = script.poll();
    while (next instanceof Runnable event) {
      event.run();
      next = script.poll();
    }
    if (next instanceof Answer answer) {
      return answer;
    }
    if (next == null) {
      end.run();
    }
    throw next == null ? new IOException("the script is over") : (IOException) next;
  }

  private static final class SilentStream extends InputStream {
    private final CountDownLatch opened;
    private final CountDownLatch closed = new CountDownLatch(1);

    SilentStream(CountDownLatch opened) {
      this.opened = opened;
    }

    @Override
    public int read() throws IOException {
      opened.countDown();
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new IOException("closed");
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }
}
