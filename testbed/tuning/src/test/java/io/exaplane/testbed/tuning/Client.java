// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Http;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A client of kube-apiserver: an account, a program's name, an address of this machine. */
final class Client implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofMinutes(3);
  private final HttpClient http;
  private final URI server;
  private final String token;
  private final String userAgent;

  Client(URI server, String token, String userAgent, String address) throws Exception {
    this.http = Http.clientAt(InetAddress.getByName(address));
    this.server = server;
    this.token = token;
    this.userAgent = userAgent;
  }

  /** The body of a page that is there. */
  String get(String path) throws Exception {
    HttpResponse<String> response = http.send(request(path), BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new AssertionError(path + ": " + response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  /** Opens a watch and leaves it. */
  void watch(String path) throws Exception {
    open(path).close();
  }

  /** Opens a watch and leaves it when all objects have come. */
  void watchToBookmark(String path) throws Exception {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(open(path), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (!line.contains("k8s.io/initial-events-end")) {
        line = lines.readLine();
      }
    }
  }

  private InputStream open(String path) throws Exception {
    HttpResponse<InputStream> response =
        http.send(request(path + "&watch=true"), BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) {
      throw new AssertionError(path + ": " + response.statusCode());
    }
    return response.body();
  }

  /** Asks, and returns whether it was refused with 429. */
  boolean isRefused(String path) throws Exception {
    int status = status(path);
    if (status != 429 && status != 200) {
      throw new AssertionError(path + ": " + status);
    }
    return status == 429;
  }

  /** The status of whatever the server answers. */
  int status(String path) throws IOException, InterruptedException {
    return http.send(request(path), BodyHandlers.discarding()).statusCode();
  }

  /** The uid of the priority level that a request fell into. */
  String level(String path) throws Exception {
    return http.send(request(path), BodyHandlers.discarding())
        .headers()
        .firstValue("X-Kubernetes-PF-PriorityLevel-UID")
        .orElseThrow();
  }

  /** Begins a request whose body does not come until it is closed: the server waits for it. */
  EndlessRequest endlessPost(String path) {
    return new EndlessRequest(
        body ->
            http.sendAsync(
                HttpRequest.newBuilder(request(path), (_, _) -> true)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.fromPublisher(body))
                    .build(),
                BodyHandlers.ofString()));
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(server.resolve(path))
        .timeout(DEADLINE)
        .header("Authorization", "Bearer " + token)
        .header("User-Agent", userAgent)
        .build();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
