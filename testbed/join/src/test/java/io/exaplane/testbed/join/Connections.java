// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Some HTTP/2 connections to one server, each with fewer requests at a time than a kube-apiserver
 * allows. Further requests wait for one that ends, in order. Thread-safe.
 */
final class Connections implements AutoCloseable {
  /** A client throws if a request is one more than the server takes on a connection: 100. */
  private static final int REQUESTS = 80;

  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final int TOO_MANY = 429;
  private static final int ATTEMPTS = 10;

  private final String server;
  private final List<HttpClient> clients;
  private final BlockingQueue<HttpClient> free;

  Connections(String server, int count) {
    this.server = server;
    clients = Stream.generate(Http::multiplexing).limit(count).toList();
    free = new LinkedBlockingQueue<>();
    IntStream.range(0, REQUESTS).forEach(_ -> free.addAll(clients));
  }

  /** In the name of a user and a group, if both are given. A busy server is asked again. */
  String ask(List<String> as, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path))
            .timeout(DEADLINE)
            .header("Authorization", "Bearer " + Http.TOKEN)
            .header(
                "Content-Type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!as.isEmpty()) {
      request.header("Impersonate-User", as.getFirst()).header("Impersonate-Group", as.getLast());
    }
    HttpResponse<String> answer = answered(request.build());
    if (answer.statusCode() >= 400 && answer.statusCode() != 404 && answer.statusCode() != 409) {
      throw new IOException(method + " " + path + ": " + answer.body());
    }
    return answer.body();
  }

  /** The answer of a server that has the time for it, over a connection that holds. */
  private HttpResponse<String> answered(HttpRequest request)
      throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        HttpResponse<String> answer = send(request);
        if (answer.statusCode() != TOO_MANY) {
          return answer;
        }
      } catch (IOException e) {
        if (attempt >= ATTEMPTS) {
          throw e;
        }
      }
      TimeUnit.SECONDS.sleep(1);
    }
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    HttpClient client = free.take();
    try {
      return client.send(request, BodyHandlers.ofString());
    } finally {
      free.add(client);
    }
  }

  @Override
  public void close() {
    clients.forEach(HttpClient::shutdownNow);
  }
}
