// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One request that ends in time, whoever answers, and takes no more memory than it may. Stateless.
 */
public final class BoundedGet {
  private BoundedGet() {}

  /**
   * Asks for a page.
   *
   * @param most time until the whole body is there; a request's own ends with the headers
   * @param mostBytes of the body
   * @throws IOException if there is no such answer
   * @throws InterruptedException if the thread is to end
   */
  public static HttpResponse<String> of(HttpClient http, URI page, Duration most, long mostBytes)
      throws IOException, InterruptedException {
    return of(http, page, most, mostBytes, BodyHandlers.ofString());
  }

  /**
   * The same for who takes the body in another form.
   *
   * @throws IOException if there is no such answer
   * @throws InterruptedException if the thread is to end
   */
  public static <T> HttpResponse<T> of(
      HttpClient http, URI page, Duration most, long mostBytes, BodyHandler<T> body)
      throws IOException, InterruptedException {
    return of(http, HttpRequest.newBuilder(page).build(), most, mostBytes, body);
  }

  /**
   * The same for another request than a GET.
   *
   * @throws IOException if there is no such answer
   * @throws InterruptedException if the thread is to end
   */
  public static <T> HttpResponse<T> of(
      HttpClient http, HttpRequest request, Duration most, long mostBytes, BodyHandler<T> body)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<T>> answer =
        http.sendAsync(request, BodyHandlers.limiting(body, mostBytes));
    try {
      return answer.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no whole answer in time", e);
    } finally {
      answer.cancel(true);
    }
  }
}
