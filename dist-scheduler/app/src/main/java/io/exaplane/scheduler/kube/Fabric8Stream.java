// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Through fabric8's client: its addresses, certificates, tokens and their renewal, without its
 * retries, so that who asks learns of each answer. Any thread; it blocks the one that asks.
 */
public final class Fabric8Stream implements ApiStream, AutoCloseable {
  private static final Duration MOST_PATIENCE = Duration.ofMinutes(5);

  private final KubernetesClient client;
  private final String server;
  private final Duration timeout;

  /**
   * To the server of a configuration.
   *
   * @param timeout how long the beginning of an answer may take
   */
  public Fabric8Stream(Config config, Duration timeout) {
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
    CompletableFuture<HttpResponse<InputStream>> asked =
        client.getHttpClient().sendAsync(request, InputStream.class);
    try {
      HttpResponse<InputStream> response = asked.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return new Answer(response.code(), retryAfter(response), new KeepingStream(response.body()));
    } catch (ExecutionException e) {
      throw new IOException("GET " + pathAndQuery, e.getCause());
    } catch (TimeoutException e) {
      leave(asked);
      throw new IOException("GET " + pathAndQuery + ": no answer within " + timeout, e);
    } catch (InterruptedException e) {
      leave(asked);
      throw e;
    }
  }

  /** Nobody waits for the answer any more. */
  private static void leave(CompletableFuture<HttpResponse<InputStream>> asked) {
    asked.thenAccept(Fabric8Stream::close);
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
