// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * A kube-apiserver whose stores are one, but for a Kind that has a route. Started, killed and
 * started again by one thread at a time; asked by any.
 */
final class ApiServer implements AutoCloseable {
  /** Above what etcd's client waits for a store that refuses. */
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int LISTS = 180;
  private static final long RETRY_MS = 1_000;

  /** A connection carries 100 requests; the client fails the next instead of waiting. */
  private static final int REQUESTS_AT_ONCE = 96;

  private final HttpClient http = Http.multiplexing();
  private final Semaphore requests = new Semaphore(REQUESTS_AT_ONCE);
  private final Path folder;
  private final List<String> command;
  private final int port;
  private final Kind moved;
  private volatile Server server;
  private volatile int starts;

  private ApiServer(Path folder, List<String> command, int port, Kind moved) {
    this.folder = folder;
    this.command = command;
    this.port = port;
    this.moved = moved;
  }

  /** Makes one that is not started yet. */
  static ApiServer of(Path folder, Store store, Kind moved, Route route, Certificates certificates)
      throws Exception {
    Files.createDirectories(folder);
    int port = Machine.freePort();
    List<String> command = ApiServerCommand.of(folder, store.page("").toString(), port, List.of());
    command.add("--etcd-servers-overrides=%s#%s".formatted(moved.resource, route.url()));
    command.add("--etcd-cafile=" + certificates.ca());
    command.add("--etcd-certfile=" + certificates.client().certificate());
    command.add("--etcd-keyfile=" + certificates.client().key());
    // No controller makes the accounts that pods would need.
    command.add("--disable-admission-plugins=ServiceAccount");
    // Why a cache is filled anew, and when it was: without these, a LIST that is refused for long
    // says no cause.
    command.add("--vmodule=cacher=1,reflector=4");
    return new ApiServer(folder, command, port, moved);
  }

  /** Starts it, also after a kill; it is ready when this returns. */
  void start() throws Exception {
    Path log = folder.resolve("apiserver-%d.log".formatted(++starts));
    server = Server.start(command, Map.of(), uri("/readyz"), log);
  }

  /** Ends it as SIGKILL does. */
  void kill() {
    server.close();
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  private URI uri(String path) {
    return URI.create("https://%s%s".formatted(address(), path));
  }

  /**
   * Asks as an administrator.
   *
   * @param body JSON; "" for none
   * @throws IOException if no answer came: a write may have been done all the same
   */
  HttpResponse<String> ask(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .timeout(DEADLINE)
            .header("Authorization", "Bearer " + Http.TOKEN)
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    requests.acquire();
    try {
      return http.send(request, BodyHandlers.ofString());
    } finally {
      requests.release();
    }
  }

  /**
   * All objects. After a move, a server whose cache is filled anew asks clients to come again.
   *
   * @throws AssertionError if it does so for minutes: with its words, which tell a cache that is
   *     not filled from one that is behind its store, and with its log of the Kind
   */
  HttpResponse<String> list(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = ask("GET", path, "");
    Set<String> words = new LinkedHashSet<>();
    int refused = 0;
    while (refused < LISTS && answer.statusCode() == TOO_MANY_REQUESTS) {
      refused++;
      words.add(answer.body());
      Thread.sleep(RETRY_MS);
      answer = ask("GET", path, "");
    }
    System.out.printf(
        "%s: LISTs refused while the cache was filled: %d %s%n", path, refused, words);
    if (answer.statusCode() == TOO_MANY_REQUESTS) {
      throw new AssertionError(
          "%s is refused %d times: %s%n%s"
              .formatted(path, refused, words, server.lastWordsOf(moved.plural)));
    }
    return answer;
  }

  @Override
  public void close() {
    http.shutdownNow();
    if (server != null) {
      kill();
    }
  }
}
