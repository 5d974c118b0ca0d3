// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.api.Identity;
import io.exaplane.store.api.Lane;
import io.exaplane.store.api.StoreServices;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.journal.Journal;
import io.exaplane.store.journal.MemberIds;
import io.exaplane.store.journal.storage.Folder;
import io.exaplane.store.journal.storage.NoFolder;
import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.wire.GrpcServer;
import io.exaplane.store.wire.GrpcServices;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A whole store in this process: keyspace, writer, services, ports. */
public final class StoreServer implements AutoCloseable {
  /** After a start leases have their time or this, so that their holders can renew them. */
  private static final long LEAST_LEFT_MS = 60_000;

  private static final int DRAIN_MS = 2_000;

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
   * @throws IOException if the folder can't be used, is in use, or is damaged
   */
  public static StoreServer start(StoreConfig config) throws IOException {
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
    RevisionPins pins = new RevisionPins();
    Storage storage = config.dataDir() == null ? new NoFolder() : Folder.open(config.dataDir());
    MemberIds ids = MemberIds.of(storage, random::nextLong);
    Journal journal = Journal.open(storage, config.revisionFloor(), keyspace, leases, pins);
    LongSupplier clock = monotonicClock();
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
            identity,
            new StoreServices.Settings(
                config.maxTxnOps(), config.maxRequestBytes(), config.watchProgressNotifyMs()),
            clock);
    GrpcServices<Lane> grpc =
        new GrpcServices<>(config.maxRequestBytes() + REQUEST_OVERHEAD_BYTES, DRAIN_MS);
    services.register(grpc);
    GrpcServer<Lane> server =
        new GrpcServer<>(grpc, config.eventLoops(), services::newLane, HttpPages::new);
    services.start();
    config.listen().forEach(address -> server.listen(address, config.tls()));
    return new StoreServer(region, services, server);
  }

  /** Milliseconds since 1970 as of now, going on whatever happens to the system's clock. */
  private static LongSupplier monotonicClock() {
    long startMs = System.currentTimeMillis();
    long startNanos = System.nanoTime();
    return () -> startMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  @Override
  public void close() {
    server.close();
    services.close();
    region.close();
  }
}
