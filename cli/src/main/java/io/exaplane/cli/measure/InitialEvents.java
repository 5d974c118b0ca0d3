// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What a watch sends before it says that all objects have come (KEP-3157).
 *
 * @param seconds until it said so
 */
record InitialEvents(long objects, long bytes, double seconds) {
  private static final byte[] ADDED = "{\"type\":\"ADDED\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "k8s.io/initial-events-end".getBytes(StandardCharsets.US_ASCII);

  /** A refusal is a Status of some hundred bytes. */
  private static final int WORDS = 1_000;

  static InitialEvents read(ApiServer server, String path, Map<String, String> headers) {
    HttpRequest.Builder request = server.http().newHttpRequestBuilder().uri(server.url() + path);
    headers.forEach(request::header);
    Counter counter = new Counter();
    long start = System.nanoTime();
    try {
      HttpResponse<AsyncBody> response =
          server.http().consumeBytes(request.build(), counter::take).get(30, TimeUnit.SECONDS);
      response.body().done().whenComplete((nothing, failure) -> counter.end(failure));
      response.body().consume();
      try {
        counter.ended.get(90, TimeUnit.SECONDS);
      } finally {
        response.body().cancel();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      return new InitialEvents(counter.objects, counter.bytes, seconds);
    } catch (ExecutionException e) {
      throw new MeasurementException(
          path + ": the initial events did not end: " + e.getCause().getMessage() + counter.words(),
          e);
    } catch (TimeoutException e) {
      throw new MeasurementException(path + ": the initial events did not end within 90 s", e);
    } catch (InterruptedException e) {
      throw Waiting.interrupted(e);
    }
  }

  /** Counts objects in a stream of lines; called by one thread at a time. */
  private static final class Counter {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Search added = new Search(ADDED);
    private final Search end = new Search(END);
    private final StringBuilder first = new StringBuilder();
    private volatile long objects;
    private volatile long bytes;

    /** The server ended the stream, with all events or without. */
    void end(Throwable failure) {
      ended.completeExceptionally(
          new IOException(failure == null ? "the server ended the watch" : failure.getMessage()));
    }

    /** What the server said, if it was no watch that it began with. */
    synchronized String words() {
      return objects == 0 && !first.isEmpty() ? ": " + first.toString().strip() : "";
    }

    synchronized void take(List<ByteBuffer> buffers, AsyncBody body) {
      long found = 0;
      long read = 0;
      boolean last = false;
      for (ByteBuffer buffer : buffers) {
        while (buffer.hasRemaining()) {
          byte next = buffer.get();
          read++;
          if (first.length() < WORDS) {
            first.append((char) next);
          }
          found += added.next(next) ? 1 : 0;
          last |= end.next(next);
        }
      }
      objects += found;
      bytes += read;
      if (last) {
        ended.complete(null);
      } else {
        body.consume();
      }
    }
  }

  /** Finds a word in bytes that come piece by piece; no word that is looked for overlaps itself. */
  private static final class Search {
    private final byte[] word;
    private int matched;

    Search(byte[] word) {
      this.word = word;
    }

    boolean next(byte value) {
      matched = value == word[matched] ? matched + 1 : value == word[0] ? 1 : 0;
      if (matched == word.length) {
        matched = 0;
        return true;
      }
      return false;
    }
  }
}
