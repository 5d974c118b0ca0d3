// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.move.StoreEnd;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Two stores and two kube-apiservers, one of whose Kinds has a route, and informers of that Kind at
 * both. One thread.
 */
final class Bed implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int FILLERS_AT_ONCE = 16;

  final Kind kind;
  final Route route;
  final List<ApiServer> apiServers;
  private final Path folder;
  private final Certificates certificates;
  private final List<Store> stores;
  private Informers informers;
  private int moves;

  private Bed(
      Kind kind,
      Path folder,
      Certificates certificates,
      List<Store> stores,
      Route route,
      List<ApiServer> apiServers) {
    this.kind = kind;
    this.folder = folder;
    this.certificates = certificates;
    this.stores = stores;
    this.route = route;
    this.apiServers = apiServers;
  }

  /**
   * Starts all, and writes some objects that nobody changes.
   *
   * @param objects how many
   * @param paddingBytes text in each
   */
  static Bed start(Kind kind, Path folder, int objects, int paddingBytes) throws Exception {
    Certificates certificates = Certificates.make(folder);
    Store first = Store.of("a", folder, certificates);
    Store second = Store.of("b", folder, certificates);
    Route route = Route.to(first);
    List<ApiServer> servers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      servers.add(ApiServer.of(folder.resolve("api-" + i), first, kind, route, certificates));
    }
    Bed bed = new Bed(kind, folder, certificates, List.of(first, second), route, servers);
    try {
      all(List.of(start(first::start), start(second::start)));
      all(servers.stream().map(server -> start(server::start)).toList());
      bed.awaitNamespace();
      bed.fill(objects, "x".repeat(paddingBytes));
    } catch (Exception | AssertionError e) {
      bed.close();
      throw e;
    }
    return bed;
  }

  private static Callable<Void> start(Start one) {
    return () -> {
      one.start();
      return null;
    };
  }

  /** Starts a process. */
  private interface Start {
    void start() throws Exception;
  }

  private void awaitNamespace() throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (apiServers.getFirst().ask("GET", "/api/v1/namespaces/default", "").statusCode() != 200) {
      assertThat(System.nanoTime()).as("the namespace default").isLessThan(deadline);
      Thread.sleep(100);
    }
  }

  private void fill(int objects, String padding) throws Exception {
    List<Callable<Void>> parts = new ArrayList<>();
    for (int part = 0; part < FILLERS_AT_ONCE; part++) {
      int first = part;
      parts.add(
          () -> {
            for (int i = first; i < objects; i += FILLERS_AT_ONCE) {
              HttpResponse<String> made =
                  apiServers
                      .get(i % apiServers.size())
                      .ask("POST", kind.path(), kind.manifest("filler-" + i, padding));
              assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
            }
            return null;
          });
    }
    all(parts);
  }

  private static void all(List<Callable<Void>> parts) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> part : threads.invokeAll(parts)) {
        part.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  /** The store that has the Kind now. */
  Store from() {
    return route.selected();
  }

  /** The other one. */
  Store to() {
    return from() == stores.getFirst() ? stores.getLast() : stores.getFirst();
  }

  /** A new move from where the Kind is. */
  Move move(Move.Before before) {
    return new Move(this, "move-" + ++moves, before);
  }

  /** How a move reaches a store. */
  StoreEnd end(Store store) {
    return new StoreEnd(store.toString(), "127.0.0.1", store.port(), certificates.mover());
  }

  /** With new informers: after each move reflectors wait longer, up to half a minute. */
  Load load(String name, int clients, int perSecond) throws Exception {
    if (informers != null) {
      informers.close();
    }
    informers = Informers.start(6, kind, apiServers, folder.resolve("informers.log"));
    return Load.start(name, kind, apiServers, clients, perSecond);
  }

  Informers informers() {
    return informers;
  }

  /** Both servers have the same objects, and every informer has exactly these. */
  void checkInformers() throws Exception {
    try {
      for (ApiServer server : apiServers) {
        informers.awaitStateOf(server);
      }
    } catch (AssertionError e) {
      // What the stores say goes with their folder.
      for (Store store : stores) {
        System.out.printf("store %s: %s%n", store, store.lastWords());
      }
      throw e;
    }
    assertThat(informers.backwards()).as(informers.toString()).isZero();
  }

  @Override
  public void close() throws IOException {
    if (informers != null) {
      informers.close();
    }
    apiServers.forEach(ApiServer::close);
    route.close();
    stores.forEach(Store::close);
  }
}
