// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The body of one answer, kept up to a number of bytes: whoever owns the server's objects says how
 * long answers are. The client's threads put pieces in, one after the other.
 */
final class Answer {
  private final int mostBytes;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> whole = new CompletableFuture<>();

  /** The answer has more bytes than that. */
  static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1;

    private TooLargeException(int mostBytes) {
      super("the answer has more than " + mostBytes + " bytes");
    }
  }

  Answer(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** For the client: takes what came, and asks for more. */
  void take(List<ByteBuffer> buffers, AsyncBody body) {
    for (ByteBuffer one : buffers) {
      if (one.remaining() > mostBytes - bytes.size()) {
        whole.completeExceptionally(new TooLargeException(mostBytes));
        body.cancel();
        return;
      }
      byte[] piece = new byte[one.remaining()];
      one.get(piece);
      bytes.writeBytes(piece);
    }
    body.consume();
  }

  /**
   * Begins, once the answer's headers came.
   *
   * @return all bytes; fails with {@link TooLargeException}, or with what broke the connection
   */
  CompletableFuture<byte[]> read(AsyncBody body) {
    body.done()
        .whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                whole.complete(bytes.toByteArray());
              } else {
                whole.completeExceptionally(failure);
              }
            });
    body.consume();
    return whole;
  }
}
