// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.grpc;

import io.exaplane.scheduler.relay.Hub;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.TreeCodec;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
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
            .addService(service(TreeMethod.JOIN, to -> join(hub.get(), to)))
            .addService(service(TreeMethod.EARLIER_JOIN, TreeServer::refuseEarlier))
            .build()
            .start();
    LOG.infof("members of the tree can join at %s", address);
  }

  private static ServerServiceDefinition service(
      MethodDescriptor<byte[], byte[]> method,
      ServerCalls.BidiStreamingMethod<byte[], byte[]> streams) {
    return ServerServiceDefinition.builder(method.getServiceName())
        .addMethod(method, ServerCalls.asyncBidiStreamingCall(streams))
        .build();
  }

  private static StreamObserver<byte[]> join(Hub hub, StreamObserver<byte[]> to) {
    return hub == null
        ? refuse(to, "this process is not in charge, or not connected with the root in charge")
        : new Child(hub, (ServerCallStreamObserver<byte[]>) to);
  }

  private static StreamObserver<byte[]> refuseEarlier(StreamObserver<byte[]> to) {
    return refuse(
        to,
        "this process has a later version of the tree's protocol; run all processes of the"
            + " scheduler in the same version");
  }

  private static StreamObserver<byte[]> refuse(StreamObserver<byte[]> to, String why) {
    to.onError(Status.FAILED_PRECONDITION.withDescription(why).asRuntimeException());
    return new Ignored();
  }

  /** A child and its stream. */
  private static final class Child implements Hub.Branch, StreamObserver<byte[]> {
    private final Hub hub;
    private final ServerCallStreamObserver<byte[]> to;
    private boolean ended;

    Child(Hub hub, ServerCallStreamObserver<byte[]> to) {
      this.hub = hub;
      this.to = to;
      to.setOnCancelHandler(() -> hub.broken(this));
    }

    @Override
    public synchronized void send(Down message) {
      if (!ended && !to.isCancelled()) {
        to.onNext(TreeCodec.encode(message));
      }
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
    public void onNext(byte[] message) {
      try {
        hub.up(this, TreeCodec.up(message));
      } catch (IllegalArgumentException e) {
        LOG.warnf("a member of the tree sent an invalid message: %s", e.getMessage());
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
      end(Status.ABORTED.withDescription("the member left"));
    }
  }

  private static final class Ignored implements StreamObserver<byte[]> {
    @Override
    public void onNext(byte[] message) {}

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
