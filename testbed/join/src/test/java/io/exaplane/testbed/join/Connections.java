// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Some HTTP/2 connections to one server, each with fewer requests at a time than a kube-apiserver
 * allows. Further requests wait for one that ends, in order. Thread-safe.
 */
final class Connections implements AutoCloseable {
  /** A client throws if a request is one more than the server takes on a connection: 100. */
  private static final int REQUESTS = 80;

  private final List<HttpClient> clients;
  private final BlockingQueue<HttpClient> free;

  Connections(int count) {
    clients = Stream.generate(Http::multiplexing).limit(count).toList();
    free = new LinkedBlockingQueue<>();
    IntStream.range(0, REQUESTS).forEach(_ -> free.addAll(clients));
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
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
