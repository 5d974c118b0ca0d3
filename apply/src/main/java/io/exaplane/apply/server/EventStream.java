// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import io.exaplane.apply.port.ApiException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A body of lines that comes piece by piece. The client's threads put pieces in, and one reader
 * takes lines out; the next piece is asked for when the reader has used the last one, so a slow
 * reader slows the server and takes no memory.
 */
final class EventStream {
  /** Of one line, in bytes: more than a server keeps of an object. */
  private static final int MOST_LINE = 8 << 20;

  private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private byte[] piece = {};
  private int at;
  private AsyncBody body;

  /** Bytes, or the end with its reason; both null for a good end. */
  private record Piece(byte[] bytes, Throwable failure) {}

  /** For the client: takes what came. */
  void take(List<ByteBuffer> buffers, AsyncBody ignored) {
    int length = buffers.stream().mapToInt(ByteBuffer::remaining).sum();
    ByteBuffer all = ByteBuffer.allocate(length);
    buffers.forEach(all::put);
    pieces.add(new Piece(all.array(), null));
  }

  /** Begins, once the answer's headers came. */
  void begin(AsyncBody of) {
    body = of;
    body.done().whenComplete((nothing, failure) -> pieces.add(new Piece(null, failure)));
    body.consume();
  }

  /**
   * The next line without its end.
   *
   * @param silenceMs how long no byte may come
   * @return null at the end of the stream; what follows the last line end is dropped
   */
  byte[] line(long silenceMs) throws ApiException, InterruptedException {
    while (true) {
      while (at < piece.length) {
        int end = indexOfLineEnd();
        line.write(piece, at, end - at);
        if (line.size() > MOST_LINE) {
          throw Failures.senseless(
              "an event has more than " + MOST_LINE + " bytes; ask the server's owner");
        }
        at = Math.min(end + 1, piece.length);
        if (end < piece.length) {
          byte[] whole = line.toByteArray();
          line.reset();
          return whole;
        }
      }
      if (!fill(silenceMs)) {
        return null;
      }
    }
  }

  /** All that is left: the words of a refusal. */
  byte[] rest(long silenceMs) throws ApiException, InterruptedException {
    do {
      line.write(piece, at, piece.length - at);
      at = piece.length;
    } while (line.size() < MOST_LINE && fill(silenceMs));
    return line.toByteArray();
  }

  private int indexOfLineEnd() {
    for (int i = at; i < piece.length; i++) {
      if (piece[i] == '\n') {
        return i;
      }
    }
    return piece.length;
  }

  private boolean fill(long silenceMs) throws ApiException, InterruptedException {
    if (piece.length > 0) {
      piece = new byte[0];
      at = 0;
      body.consume();
    }
    Piece next = pieces.poll(silenceMs, TimeUnit.MILLISECONDS);
    if (next == null) {
      throw Failures.silent("the watch was silent for " + silenceMs / 1000 + " s", false);
    }
    if (next.bytes() == null) {
      if (next.failure() != null) {
        throw Failures.of(next.failure(), false);
      }
      return false;
    }
    piece = next.bytes();
    at = 0;
    return true;
  }
}
