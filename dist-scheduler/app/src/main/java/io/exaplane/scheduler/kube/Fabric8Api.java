// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Through fabric8's client: its addresses, certificates, tokens and their renewal, without its
 * retries, so that who asks learns of each answer. Any thread; it blocks the one that asks.
 */
public final class Fabric8Api implements ApiStream, ApiWriter, AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String JSON_TYPE = "application/json";
  private static final Duration MOST_PATIENCE = Duration.ofMinutes(5);

  private final KubernetesClient client;
  private final String server;
  private final Duration timeout;

  /**
   * To the server of a configuration.
   *
   * @param timeout how long the beginning of an answer may take
   */
  public Fabric8Api(Config config, Duration timeout) {
    Config once = new ConfigBuilder(config).withRequestRetryBackoffLimit(0).build();
    client = new KubernetesClientBuilder().withConfig(once).build();
    server = client.getMasterUrl().toString().replaceFirst("/+$", "");
    this.timeout = timeout;
  }

  @Override
  public Answer get(String pathAndQuery, String accept) throws IOException, InterruptedException {
    HttpRequest request =
        client
            .getHttpClient()
            .newHttpRequestBuilder()
            .uri(server + pathAndQuery)
            .header("Accept", accept)
            .forStreaming()
            .build();
    HttpResponse<InputStream> response =
        await(
            client.getHttpClient().sendAsync(request, InputStream.class),
            "GET " + pathAndQuery,
            Fabric8Api::close);
    return new Answer(response.code(), retryAfter(response), new KeepingStream(response.body()));
  }

  @Override
  public Reply send(Request request) throws IOException, InterruptedException {
    HttpRequest.Builder builder =
        client.getHttpClient().newHttpRequestBuilder().uri(server + request.path());
    builder.header("Accept", JSON_TYPE);
    if (!request.method().equals("GET")) {
      String body = request.body() == null ? "" : JSON.writeValueAsString(request.body());
      builder.method(request.method(), request.contentType(), body);
    }
    HttpResponse<byte[]> response =
        await(
            client.getHttpClient().sendAsync(builder.build(), byte[].class),
            request.toString(),
            late -> {});
    return new Reply(response.code(), retryAfter(response), object(response.body()));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(byte[] body) throws IOException {
    try {
      return body == null || body.length == 0 ? Map.of() : JSON.readValue(body, Map.class);
    } catch (JacksonException e) {
      return Map.of("message", new String(body, StandardCharsets.UTF_8).strip());
    }
  }

  private <T> HttpResponse<T> await(
      CompletableFuture<HttpResponse<T>> asked, String request, Consumer<HttpResponse<T>> late)
      throws IOException, InterruptedException {
    try {
      return asked.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException(request, e.getCause());
    } catch (TimeoutException e) {
      leave(asked, late);
      throw new IOException(request + ": no answer within " + timeout, e);
    } catch (InterruptedException e) {
      leave(asked, late);
      throw e;
    }
  }

  /** Nobody waits for the answer any more. */
  private static <T> void leave(
      CompletableFuture<HttpResponse<T>> asked, Consumer<HttpResponse<T>> late) {
    asked.thenAccept(late);
    asked.cancel(true);
  }

  private static void close(HttpResponse<InputStream> late) {
    try {
      late.body().close();
    } catch (IOException e) {
      // Nobody reads it.
    }
  }

  private static Duration retryAfter(HttpResponse<?> response) {
    String seconds = response.header("Retry-After");
    try {
      Duration asked =
          seconds == null ? Duration.ZERO : Duration.ofSeconds(Long.parseLong(seconds));
      return asked.isNegative() || asked.compareTo(MOST_PATIENCE) > 0 ? MOST_PATIENCE : asked;
    } catch (NumberFormatException e) {
      return Duration.ZERO;
    }
  }

  @Override
  public void close() {
    client.close();
  }

  /**
   * Closing an answer ends its connection, on which the next request may be already: one that was
   * read to its end is left as it is.
   */
  private static final class KeepingStream extends FilterInputStream {
    private volatile boolean ended;

    KeepingStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      ended |= next < 0;
      return next;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int count = super.read(to, offset, length);
      ended |= count < 0;
      return count;
    }

    @Override
    public void close() throws IOException {
      if (!ended) {
        super.close();
      }
    }
  }
}
