// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.api.Identity;
import io.exaplane.store.api.Lane;
import io.exaplane.store.api.MemoryBudgets;
import io.exaplane.store.api.Portion;
import io.exaplane.store.api.StoreClock;
import io.exaplane.store.api.StoreMoves;
import io.exaplane.store.api.StoreServices;
import io.exaplane.store.api.slow.SlowRequests;
import io.exaplane.store.app.metrics.HealthCounts;
import io.exaplane.store.app.metrics.MetricsPage;
import io.exaplane.store.app.metrics.Scrapes;
import io.exaplane.store.app.metrics.ServerStatistics;
import io.exaplane.store.app.move.MovePages;
import io.exaplane.store.app.move.Movers;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.gateway.JsonGateway;
import io.exaplane.store.journal.Attempts;
import io.exaplane.store.journal.Attempts.Target;
import io.exaplane.store.journal.Journal;
import io.exaplane.store.journal.MemberIds;
import io.exaplane.store.journal.Repair;
import io.exaplane.store.journal.SeenRevisions;
import io.exaplane.store.journal.storage.Folder;
import io.exaplane.store.journal.storage.NoFolder;
import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.move.MoveStates;
import io.exaplane.store.wire.GrpcServer;
import io.exaplane.store.wire.GrpcServices;
import io.exaplane.store.wire.door.Places;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A whole store in this process: keyspace, writer, services, ports. */
public final class StoreServer implements AutoCloseable {
  /** After a start leases have their time or this, so that their holders can renew them. */
  private static final long LEAST_LEFT_MS = 60_000;

  /** Much less than what a client notices, and time for several batches of a busy writer. */
  private static final long WATCH_GATHER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private static final int DRAIN_MS = 2_000;

  /** Of a file's mode, as in stat(2). */
  private static final int FILE_TYPE = 0170000;

  private static final int SOCKET = 0140000;
  private static final long JOURNAL_RETRY_MS = 100;

  /** What etcd adds to the largest request for gRPC's sake. */
  private static final int REQUEST_OVERHEAD_BYTES = 512 << 10;

  private final Region region;
  private final StoreServices services;
  private final GrpcServer<Lane> server;

  private StoreServer(Region region, StoreServices services, GrpcServer<Lane> server) {
    this.region = region;
    this.services = services;
    this.server = server;
  }

  /**
   * Starts a store: reads what its folder holds, then serves.
   *
   * @throws ListenException if an address can't be listened on
   * @throws IOException if the folder can't be used, is in use, or is damaged
   */
  public static StoreServer start(StoreConfig config) throws IOException {
    Storage storage = config.dataDir() == null ? new NoFolder() : Folder.open(config.dataDir());
    try {
      MemberIds ids = MemberIds.of(storage, new SecureRandom()::nextLong);
      return Attempts.start(
          () -> empty(config), (target, attempts) -> start(config, storage, ids, target, attempts));
    } catch (IOException e) {
      storage.close();
      throw e;
    }
  }

  private static Target empty(StoreConfig config) {
    SecureRandom random = new SecureRandom();
    Region region = Region.reserve(config.regionBytes(), Region.DEFAULT_SEGMENT_SHIFT);
    Leases leases = new Leases(random::nextLong);
    Keyspace keyspace =
        new Keyspace(
            region,
            leases,
            new KeyClasses(config.rules(), config.durability()),
            config.limits(),
            random.nextLong(),
            config.eventLoops() + StoreServices.OTHER_READERS);
    return new Target(region, leases, keyspace);
  }

  /**
   * Makes a folder with damaged files one that a store starts from.
   *
   * @param out takes the lines that tell what was found and done
   * @return whether anything was damaged
   * @throws IOException if nothing can be kept, or the folder can't be used
   */
  static boolean repair(StoreConfig config, Consumer<String> out) throws IOException {
    try (Storage storage = Folder.open(config.dataDir())) {
      return Attempts.start(
          () -> empty(config),
          (target, attempts) -> {
            boolean repaired =
                new Repair(storage, target.keyspace(), target.leases(), attempts, out).run();
            target.region().close();
            return repaired;
          });
    }
  }

  private static StoreServer start(
      StoreConfig config, Storage storage, MemberIds ids, Target target, Attempts attempts)
      throws IOException {
    Keyspace keyspace = target.keyspace();
    Leases leases = target.leases();
    RevisionPins pins = new RevisionPins();
    MoveStates moves = MoveStates.open(storage, ids);
    Journal journal =
        Journal.open(
            storage,
            new SeenRevisions(config.revisionFloor(), config.leastRevision()),
            keyspace,
            leases,
            pins,
            attempts);
    LongSupplier clock = StoreClock.after(leases.latestMs());
    leases.extend(clock.getAsLong(), LEAST_LEFT_MS);
    keyspace.publish();
    Identity identity =
        new Identity(
            ids.clusterId(),
            ids.memberId(),
            config.name(),
            config.advertiseClientUrls(),
            StoreConfig.ETCD_VERSION);
    StoreServices services =
        new StoreServices(
            keyspace,
            leases,
            journal,
            pins,
            moves,
            identity,
            new StoreServices.Settings(
                config.maxTxnOps(),
                config.maxRequestBytes(),
                config.watchProgressNotifyMs(),
                JOURNAL_RETRY_MS,
                Portion.USUAL,
                WATCH_GATHER_NANOS,
                config.autoCompaction(),
                config.elidesPrevValues(),
                MemoryBudgets.of(Runtime.getRuntime().maxMemory(), config.maxRequestBytes()),
                SlowRequests.logged(config.slowNanos())),
            clock,
            StoreServer::inBackground);
    GrpcServices<Lane> grpc =
        new GrpcServices<>(
            new GrpcServices.Limits(
                config.maxRequestBytes() + REQUEST_OVERHEAD_BYTES,
                DRAIN_MS,
                config.keepAliveMs(),
                config.keepAliveTimeoutMs(),
                config.connections().maxStreams(),
                config.connections().maxCalls()));
    services.register(grpc);
    GrpcServer<Lane> server = server(config, services, grpc, ids.clusterId());
    if (config.hasGateway()) {
      server.gateway(
          new JsonGateway<>(grpc, server::lane, config.maxRequestBytes() + REQUEST_OVERHEAD_BYTES));
    }
    services.start();
    for (Endpoint endpoint : config.listen()) {
      listen(
          endpoint.address(),
          () -> {
            deleteLeftBehind(endpoint.address());
            server.listen(endpoint.address(), endpoint.isSecure() ? config.tls() : null);
          });
    }
    for (Endpoint endpoint : config.listenForMetrics()) {
      listen(
          endpoint.address(),
          () ->
              server.listenForPages(
                  endpoint.address(), endpoint.isSecure() ? config.tls()::forPages : null));
    }
    return new StoreServer(target.region(), services, server);
  }

  private static GrpcServer<Lane> server(
      StoreConfig config, StoreServices services, GrpcServices<Lane> grpc, long clusterId) {
    HealthCounts counts = new HealthCounts();
    ConnectionFlags.Bounds bounds =
        OpenFiles.now().bound(config.connections(), config.eventLoops());
    Places clients = new Places("clients", bounds.clients(), System::nanoTime);
    Places probes = new Places("probes", bounds.probes(), System::nanoTime);
    // Not before somebody asks: it would take a tenth of the start.
    Supplier<MetricsPage> metrics =
        new Once<>(
            () ->
                new MetricsPage(
                    services,
                    grpc,
                    new ServerStatistics(counts, List.of(clients, probes), config.tls()),
                    StoreConfig.ETCD_VERSION));
    AtomicReference<GrpcServer<Lane>> server = new AtomicReference<>();
    StoreMoves moves = services.moves(() -> server.get().anyLane());
    HttpPages pages =
        new HttpPages(
            new HealthPages(
                new JournalHealth(services::isStalled, services::diskWaitNanos),
                services::isFull,
                counts),
            new Scrapes(() -> metrics.get().text()),
            services::usage,
            services::ages,
            new MovePages(
                moves,
                new Movers(config.tls() != null && config.tls().requiresClients()),
                clusterId));
    server.set(
        new GrpcServer<>(
            grpc,
            config.eventLoops(),
            services::newLane,
            new GrpcServer.Door(pages.forClients(), clients),
            new GrpcServer.Door(pages.forProbes(bounds.clearPages()), probes)));
    return server.get();
  }

  private interface Listening {
    void start() throws IOException;
  }

  private static void listen(SocketAddress address, Listening listening) throws ListenException {
    try {
      listening.start();
    } catch (IOException e) { // netty throws that of binding undeclared
      throw new ListenException(address, e);
    }
  }

  /** A socket of a store that was killed is taken away; one that somebody serves is not. */
  private static void deleteLeftBehind(SocketAddress address) throws IOException {
    if (!(address instanceof DomainSocketAddress file)) {
      return;
    }
    Path path = Path.of(file.path());
    if (!Files.exists(path)
        || ((int) Files.getAttribute(path, "unix:mode") & FILE_TYPE) != SOCKET) {
      return; // nothing, or something that is not ours to delete: binding says so
    }
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      throw new IOException("another process serves this socket");
    } catch (ConnectException e) {
      Files.delete(path);
    }
  }

  /** Makes something when it is first asked for. Thread-safe. */
  private static final class Once<T> implements Supplier<T> {
    private final Supplier<T> make;
    private T made;

    Once(Supplier<T> make) {
      this.make = make;
    }

    @Override
    public synchronized T get() {
      if (made == null) {
        made = make.get();
      }
      return made;
    }
  }

  private static void inBackground(Runnable snapshot) {
    Thread.ofPlatform().name("store-snapshot").priority(Thread.MIN_PRIORITY).start(snapshot);
  }

  @Override
  public void close() {
    server.close();
    services.close();
    region.close();
  }
}
