// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Function;

/** A request whose body has begun and does not come: no thread of the client waits for it. */
final class EndlessRequest implements AutoCloseable {
  private final CompletableFuture<Flow.Subscriber<? super ByteBuffer>> reader =
      new CompletableFuture<>();
  private final CompletableFuture<HttpResponse<String>> answer;

  /** Sends it, given what publishes its body. */
  EndlessRequest(
      Function<Flow.Publisher<ByteBuffer>, CompletableFuture<HttpResponse<String>>> send) {
    this.answer = send.apply(this::subscribe);
  }

  private void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    subscriber.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long count) {
            // It may ask as often as it likes.
          }

          @Override
          public void cancel() {
            // There is nothing to give back.
          }
        });
    reader.complete(subscriber);
  }

  /** The server did not wait for the body. */
  boolean isAnswered() {
    return answer.isDone();
  }

  @Override
  public String toString() {
    return "the request that does not end: "
        + answer
            .handle(
                (response, failure) ->
                    failure == null ? response + " " + response.body() : failure.toString())
            .getNow("waits for its body");
  }

  /** Ends the body, which is empty, and takes the answer. */
  @Override
  public void close() {
    reader.thenAccept(Flow.Subscriber::onComplete);
    answer.handle((_, _) -> null).join();
  }
}
