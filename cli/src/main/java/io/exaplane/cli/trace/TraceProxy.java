// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.trace;

import io.exaplane.cli.etcd.Credentials;
import io.exaplane.cli.etcd.EtcdClient;
import io.exaplane.cli.etcd.StoreFailure;
import io.grpc.Attributes;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerTransportFilter;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Listens like a store, passes all calls on to one, and records them: also methods of gRPC that
 * this program does not know. Thread-safe.
 */
public final class TraceProxy implements AutoCloseable {
  /** A kube-apiserver pings its store every 30 s, also without calls; others more often. */
  private static final int LEAST_PING_SECONDS = 1;

  private static final int END_SECONDS = 5;

  private final Recording recording;
  private final EtcdClient to;
  private final ManagedChannel store;
  private final Server server;

  private TraceProxy(Recording recording, EtcdClient to, ManagedChannel store, Server server) {
    this.recording = recording;
    this.to = to;
    this.store = store;
    this.server = server;
  }

  /**
   * Starts it.
   *
   * @param listen where clients connect
   * @param own certificates for them, and the CA of theirs; none without TLS
   * @param to the store
   * @param root that kube-apiserver's keys begin with
   * @throws StoreFailure if the address cannot be listened on
   */
  public static TraceProxy start(
      InetSocketAddress listen, Optional<Credentials> own, EtcdClient to, String root) {
    Recording recording = new Recording(System::nanoTime);
    ManagedChannel store = to.forwarding();
    ServerCredentials how =
        own.map(Credentials::forServer).orElseGet(InsecureServerCredentials::create);
    Server server =
        NettyServerBuilder.forAddress(listen, how)
            .directExecutor()
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .permitKeepAliveTime(LEAST_PING_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addTransportFilter(counting(recording))
            .fallbackHandlerRegistry(all(new Forward(store, recording, root)))
            .build();
    try {
      server.start();
    } catch (IOException e) {
      store.shutdownNow();
      throw new StoreFailure(
          "--listen: '%s' cannot be listened on: %s; name an address of this machine and a free port"
              .formatted(text(listen), why(e)));
    }
    return new TraceProxy(recording, to, store, server);
  }

  private static String text(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  private static String why(IOException e) {
    return e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
  }

  private static ServerTransportFilter counting(Recording recording) {
    return new ServerTransportFilter() {
      @Override
      public Attributes transportReady(Attributes transport) {
        recording.connected();
        return transport;
      }
    };
  }

  private static HandlerRegistry all(Forward forward) {
    return new HandlerRegistry() {
      @Override
      public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
        // A stream in both directions has every other kind of call in it.
        return ServerMethodDefinition.create(
            EtcdClient.method(name, MethodType.BIDI_STREAMING), forward);
      }
    };
  }

  /** The port that it listens on. */
  public int port() {
    return server.getPort();
  }

  /** What was recorded so far. */
  public Trace trace() {
    return recording.trace(to.endpoint().toString());
  }

  /** Ends the connections of clients, then that to the store. */
  @Override
  public void close() {
    server.shutdownNow();
    store.shutdownNow();
    try {
      server.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
      store.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
