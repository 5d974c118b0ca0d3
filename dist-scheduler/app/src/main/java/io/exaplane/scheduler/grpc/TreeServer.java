// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.grpc;

import io.exaplane.scheduler.proto.Down;
import io.exaplane.scheduler.proto.TreeGrpc;
import io.exaplane.scheduler.proto.Up;
import io.exaplane.scheduler.relay.Hub;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Where children of this process come to. */
public final class TreeServer implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(TreeServer.class);
  static final int LARGEST_MESSAGE = 64 << 20;
  static final long KEEP_ALIVE_SECONDS = 10;
  static final long KEEP_ALIVE_TIMEOUT_SECONDS = 3;
  private static final int LARGE_MESSAGE = 4 << 20;
  private static final long END_SECONDS = 2;

  private final Server server;

  /**
   * Listens from now on.
   *
   * @param hub what children come to; null while they are to go elsewhere
   * @throws IOException if the address is taken
   */
  public TreeServer(TreeAddress address, TreeTls tls, Supplier<Hub> hub) throws IOException {
    server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(address.host(), address.port()), tls.ofServer())
            .maxInboundMessageSize(LARGEST_MESSAGE)
            .permitKeepAliveWithoutCalls(true)
            .permitKeepAliveTime(KEEP_ALIVE_SECONDS / 2, TimeUnit.SECONDS)
            .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .addService(new Service(hub))
            .build()
            .start();
    LOG.infof("members of the tree may come to %s", address);
  }

  private static final class Service extends TreeGrpc.TreeImplBase {
    private final Supplier<Hub> hub;

    Service(Supplier<Hub> hub) {
      this.hub = hub;
    }

    @Override
    public StreamObserver<Up> join(StreamObserver<Down> to) {
      Hub now = hub.get();
      if (now == null) {
        to.onError(
            Status.FAILED_PRECONDITION
                .withDescription("this process is not in charge, or not connected with who is")
                .asRuntimeException());
        return new Ignored();
      }
      return new Child(now, (ServerCallStreamObserver<Down>) to);
    }
  }

  /** A child and its stream. */
  private static final class Child implements Hub.Branch, StreamObserver<Up> {
    private final Hub hub;
    private final ServerCallStreamObserver<Down> to;
    private boolean ended;

    Child(Hub hub, ServerCallStreamObserver<Down> to) {
      this.hub = hub;
      this.to = to;
      to.setOnCancelHandler(() -> hub.broken(this));
    }

    @Override
    public synchronized void send(io.exaplane.scheduler.tree.Down message) {
      if (ended || to.isCancelled()) {
        return;
      }
      Down wire = DownWire.of(message);
      boolean large = wire.getSerializedSize() > LARGE_MESSAGE;
      if (large
          && message instanceof io.exaplane.scheduler.tree.Down.Changes all
          && all.changes().size() > 1) {
        int half = all.changes().size() / 2;
        send(part(all, 0, half));
        send(part(all, half, all.changes().size()));
      } else {
        to.onNext(wire);
      }
    }

    private static io.exaplane.scheduler.tree.Down part(
        io.exaplane.scheduler.tree.Down.Changes all, int from, int to) {
      return new io.exaplane.scheduler.tree.Down.Changes(all.to(), all.changes().subList(from, to));
    }

    @Override
    public void cut(String why) {
      end(Status.ABORTED.withDescription(why));
    }

    private synchronized void end(Status status) {
      if (!ended && !to.isCancelled()) {
        to.onError(status.asRuntimeException());
      }
      ended = true;
    }

    @Override
    public void onNext(Up message) {
      try {
        hub.up(this, UpWire.of(message));
      } catch (IllegalArgumentException e) {
        LOG.warnf("a member of the tree said what makes no sense: %s", e.getMessage());
        hub.broken(this);
        end(Status.INVALID_ARGUMENT.withDescription(e.getMessage()));
      }
    }

    @Override
    public void onError(Throwable trouble) {
      hub.broken(this);
    }

    @Override
    public void onCompleted() {
      hub.broken(this);
      end(Status.ABORTED.withDescription("it left"));
    }
  }

  private static final class Ignored implements StreamObserver<Up> {
    @Override
    public void onNext(Up message) {}

    @Override
    public void onError(Throwable trouble) {}

    @Override
    public void onCompleted() {}
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
