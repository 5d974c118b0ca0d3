// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import io.exaplane.apply.port.ApiException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A request that is under way. For one thread, which waits for it or drops it.
 *
 * @param response comes with the headers of the answer
 * @param answer takes its body
 */
record Sent(CompletableFuture<HttpResponse<AsyncBody>> response, Answer answer) {
  /** A server ends requests after 60 s by itself; webhooks count into that. */
  static final long PATIENCE_MS = 65_000;

  /** Begins; the answer may have that many bytes. */
  static Sent by(Client client, HttpRequest request, int mostBytes) throws InterruptedException {
    Answer answer = new Answer(mostBytes);
    return new Sent(begun(client, request, answer::take), answer);
  }

  /** Begins, when the client has a connection or makes its first one. */
  static CompletableFuture<HttpResponse<AsyncBody>> begun(
      Client client, HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> body)
      throws InterruptedException {
    client.opening().enter();
    CompletableFuture<HttpResponse<AsyncBody>> response = client.http().consumeBytes(request, body);
    response.whenComplete((began, failure) -> client.opening().leave());
    return response;
  }

  /**
   * Waits for the whole answer.
   *
   * @param writes whether the server may have done something even if no answer came
   * @throws ApiException for none, and for one that is no success
   */
  byte[] body(boolean writes) throws ApiException, InterruptedException {
    HttpResponse<AsyncBody> began = await(response, writes);
    byte[] body;
    try {
      body = await(answer.read(began.body()), writes);
    } catch (ApiException | InterruptedException e) {
      // A connection whose answer was read to its end is kept.
      began.body().cancel();
      throw e;
    }
    if (!HttpResponse.isSuccessful(began.code())) {
      throw Failures.of(began.code(), body, began.header("Retry-After"));
    }
    return body;
  }

  /** Nobody wants the answer any more. */
  void drop() {
    response.thenAccept(began -> began.body().cancel());
    response.cancel(true);
  }

  /** Waits for a part of an answer. */
  static <T> T await(CompletableFuture<T> sent, boolean writes)
      throws ApiException, InterruptedException {
    try {
      return sent.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw Failures.of(e, writes);
    } catch (CancellationException e) {
      throw Failures.of(e, writes);
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw Failures.silent("no answer within " + PATIENCE_MS / 1000 + " s", writes);
    } catch (InterruptedException e) {
      sent.cancel(true);
      throw e;
    }
  }
}
