// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** A request and its answer on their way. Used on its connection's thread. */
final class Exchange {
  private static final int OK = 200;

  private final Call call;
  private final Books books;
  private final Executor answers;
  private final Consumer<Answer> then;
  private final Api.Watcher watcher;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
  private final long beganNanos = System.nanoTime();
  private Future<?> timeout;
  private int status;
  private int retryAfterSeconds = -1;
  private long received;
  private boolean isEnded;

  private Exchange(
      Call call, Books books, Executor answers, Consumer<Answer> then, Api.Watcher watcher) {
    this.call = call;
    this.books = books;
    this.answers = answers;
    this.then = then;
    this.watcher = watcher;
  }

  static Exchange request(Call call, Books books, Executor answers, Consumer<Answer> then) {
    return new Exchange(call, books, answers, then, null);
  }

  /** The watcher is told that the stream ended after {@code then} ran. */
  static Exchange stream(Call call, Books books, Api.Watcher watcher, Runnable then) {
    return new Exchange(call, books, Runnable::run, answer -> then.run(), watcher);
  }

  Call call() {
    return call;
  }

  void timesOutBy(Future<?> timeout) {
    this.timeout = timeout;
  }

  boolean isEnded() {
    return isEnded;
  }

  private boolean isOpenStream() {
    return watcher != null && status == OK;
  }

  void headers(Http2Headers headers) {
    CharSequence code = headers.status();
    if (code == null || isEnded) {
      // Trailers.
      return;
    }
    status = Integer.parseInt(code.toString());
    CharSequence after = headers.get("retry-after");
    if (after != null && after.toString().matches("[0-9]{1,6}")) {
      retryAfterSeconds = Integer.parseInt(after.toString());
    }
    if (isOpenStream()) {
      book(new Answer(status, new byte[0], -1, ""));
      watcher.opened();
    }
  }

  void data(ByteBuf data) {
    if (isEnded) {
      return;
    }
    received += data.readableBytes();
    byte[] bytes = ByteBufUtil.getBytes(data);
    if (isOpenStream()) {
      try {
        watcher.data(bytes);
      } catch (IllegalArgumentException e) {
        fail("the stream cannot be read: " + e.getMessage());
      }
    } else {
      body.writeBytes(bytes);
    }
  }

  /** The answer is complete. */
  void complete() {
    end(new Answer(status, body.toByteArray(), retryAfterSeconds, ""));
  }

  /** No complete answer comes. A stream that began counts as answered. */
  void fail(String problem) {
    end(Answer.none(problem));
  }

  private void end(Answer answer) {
    if (isEnded) {
      return;
    }
    boolean wasOpen = isOpenStream();
    isEnded = true;
    if (timeout != null) {
      timeout.cancel(false);
    }
    if (!wasOpen) {
      book(answer);
    }
    answers.execute(() -> then.accept(answer));
    if (watcher != null) {
      watcher.ended(answer);
    }
  }

  /**
   * Ends it without a word to anybody but {@code then}: whoever asked does not want it any more.
   */
  void abandon() {
    if (!isEnded) {
      isEnded = true;
      answers.execute(() -> then.accept(Answer.none("abandoned")));
    }
  }

  private void book(Answer answer) {
    books.answered(
        call.operation(), answer, System.nanoTime() - beganNanos, call.body().length, received);
  }
}
