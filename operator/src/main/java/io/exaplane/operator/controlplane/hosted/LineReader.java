// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Flow;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Hands each line of a page to somebody who keeps little of it. Used by one thread at a time. */
final class LineReader<S> implements Flow.Subscriber<String> {
  private final S keeper;
  private final BiConsumer<S, String> take;

  private LineReader(S keeper, BiConsumer<S, String> take) {
    this.keeper = keeper;
    this.take = take;
  }

  /** A reader for one page. */
  static <S, T> BodyHandler<T> of(S keeper, BiConsumer<S, String> take, Function<S, T> result) {
    return BodyHandlers.fromLineSubscriber(
        new LineReader<>(keeper, take), _ -> result.apply(keeper), null);
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(String line) {
    take.accept(keeper, line);
  }

  @Override
  public void onError(Throwable failure) {
    // The request fails with it.
  }

  @Override
  public void onComplete() {
    // The finisher asks the keeper.
  }
}
