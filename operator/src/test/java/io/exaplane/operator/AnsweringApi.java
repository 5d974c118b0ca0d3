// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** An API server whose answers a test makes, one request after the other, and its client. */
public final class AnsweringApi implements AutoCloseable {
  /**
   * A request.
   *
   * @param uri with path and query
   */
  public record Asked(String method, String path, String uri, String body) {
    public boolean reads() {
      return method.equals("GET");
    }
  }

  /** JSON, with a status of HTTP. */
  public record Answer(int status, String body) {}

  private final HttpServer server;
  private final KubernetesClient client;

  public AnsweringApi(Function<Asked, Answer> answers) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String sent =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          Answer answer =
              answers.apply(
                  new Asked(
                      exchange.getRequestMethod(),
                      exchange.getRequestURI().getPath(),
                      exchange.getRequestURI().toString(),
                      sent));
          byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(answer.status(), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  /** Asks once, whatever the answer is. */
  public KubernetesClient client() {
    return client;
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
  }
}
