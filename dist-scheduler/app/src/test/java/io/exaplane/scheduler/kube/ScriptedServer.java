// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers one request after another as it was told to; then it stops who asks. */
final class ScriptedServer implements ApiStream {
  /** What was asked, in order. */
  final List<String> asked = new ArrayList<>();

  /** How many answers were closed on which nothing was heard. */
  final AtomicInteger cut = new AtomicInteger();

  private final Deque<Object> script = new ArrayDeque<>();
  private Runnable end = () -> {};

  ScriptedServer answer(int status, byte[]... parts) {
    script.add(new Answer(status, Duration.ZERO, new PartsStream(parts)));
    return this;
  }

  ScriptedServer busy(int seconds) {
    InputStream body = new ByteArrayInputStream(Wire.status(429, "too many requests"));
    script.add(new Answer(429, Duration.ofSeconds(seconds), body));
    return this;
  }

  /** After these parts nothing more is heard on this answer until it is closed. */
  ScriptedServer silent(CountDownLatch waitedFor, byte[]... parts) {
    InputStream body =
        new SequenceInputStream(new PartsStream(parts), new SilentStream(waitedFor, cut));
    script.add(new Answer(200, Duration.ZERO, body));
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

  /** One part comes after the other, each when it is waited for, until it is closed. */
  private static final class PartsStream extends InputStream {
    private final Deque<byte[]> parts;
    private InputStream part = InputStream.nullInputStream();
    private boolean closed;

    PartsStream(byte[]... parts) {
      this.parts = new ArrayDeque<>(List.of(parts));
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      if (closed) {
        throw new IOException("closed");
      }
      int count = part.read(to, offset, length);
      while (count < 0 && !parts.isEmpty()) {
        part = new ByteArrayInputStream(parts.poll());
        count = part.read(to, offset, length);
      }
      return count;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static final class SilentStream extends InputStream {
    private final CountDownLatch waitedFor;
    private final AtomicInteger cut;
    private final CountDownLatch closed = new CountDownLatch(1);

    SilentStream(CountDownLatch waitedFor, AtomicInteger cut) {
      this.waitedFor = waitedFor;
      this.cut = cut;
    }

    @Override
    public int read() throws IOException {
      waitedFor.countDown();
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new IOException("closed");
    }

    @Override
    public void close() {
      cut.incrementAndGet();
      closed.countDown();
    }
  }
}
