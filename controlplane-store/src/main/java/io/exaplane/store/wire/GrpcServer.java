// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.exaplane.store.wire.door.Place;
import io.exaplane.store.wire.door.Places;
import io.exaplane.store.wire.page.Gateway;
import io.exaplane.store.wire.page.PageConnection;
import io.exaplane.store.wire.page.Pages;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Serves gRPC, and a few plain HTTP/1.1 pages, on the same ports: in the clear by what a
 * connection's first bytes are, under TLS by what was negotiated.
 *
 * @param <L> what the services keep for each event loop
 */
public final class GrpcServer<L> implements AutoCloseable {
  private static final byte[] PREFACE = "PRI * HTTP/2.0".getBytes(StandardCharsets.US_ASCII);

  /** So that others of the same event loop get their turn soon. */
  private static final long TURN_NANOS = 50_000;

  private static final long PAUSE_AFTER_REFUSAL_MS = 5;

  /** A probe shall not wait behind those that connect by the thousand. */
  private static final int PROBES_PER_TURN = 32;

  private static final int SCRATCH_BYTES = 64 << 10;
  private static final int BACKLOG = 1024;

  /** A connection that has not said by then what it wants is closed. */
  private static final long PATIENCE_S = 20;

  private final GrpcServices<L> services;
  private final Door clients;
  private final Door probes;
  private final EventLoopGroup group;
  private final Class<? extends ServerChannel> channelType;
  private Gateway gateway;

  /**
   * What there is for those who come by some of the ports.
   *
   * @param pages what is asked for beside gRPC
   * @param places for their connections
   */
  public record Door(Pages pages, Places places) {}

  private final Map<EventLoop, GrpcHandler.Loop<L>> loops = new ConcurrentHashMap<>();
  private final Function<EventLoop, L> newLane;
  private final int openCallsPerLoop;
  private final List<Channel> listening = new ArrayList<>();
  private final Departures departures = new Departures();
  private final Sources sources = new Sources(System::nanoTime);
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  /**
   * @param eventLoops number of threads that serve connections
   * @param newLane makes what the services keep for an event loop
   * @param clients for the ports of gRPC
   * @param probes for the ports that have pages only
   */
  public GrpcServer(
      GrpcServices<L> services,
      int eventLoops,
      Function<EventLoop, L> newLane,
      Door clients,
      Door probes) {
    this.services = services;
    this.clients = clients;
    this.probes = probes;
    this.openCallsPerLoop =
        Math.max(services.limits().maxStreams(), services.limits().maxCalls() / eventLoops);
    this.newLane = newLane;
    boolean epoll = Epoll.isAvailable();
    group =
        new MultiThreadIoEventLoopGroup(
            eventLoops, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    channelType = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /**
   * Starts to listen.
   *
   * @param address of TCP, or of a socket in the file system, which needs epoll
   * @param tls null for connections in the clear, as those by the file system always are
   */
  public void listen(SocketAddress address, Supplier<SslContext> tls) {
    listen(
        address,
        clients,
        child -> {
          if (tls == null || address instanceof DomainSocketAddress) {
            add(child.pipeline(), new FirstBytes());
          } else {
            add(child.pipeline(), tlsHandler(child, tls.get()), new Negotiated());
          }
        });
  }

  /** With the client's address, for who judges its certificate. */
  private static ChannelHandler tlsHandler(Channel child, SslContext tls) {
    return child.remoteAddress() instanceof InetSocketAddress client
        ? tls.newHandler(child.alloc(), client.getAddress().getHostAddress(), client.getPort())
        : tls.newHandler(child.alloc());
  }

  /**
   * Has somebody see requests of HTTP on the ports of clients before the pages do; before ports are
   * listened on.
   *
   * @param gateway one for all connections
   */
  public void gateway(Gateway gateway) {
    this.gateway = gateway;
  }

  /** What the services keep for an event loop. */
  public L lane(EventLoop eventLoop) {
    return loop(eventLoop).lane();
  }

  /** What the services keep for one of the event loops, whichever. */
  public L anyLane() {
    return lane(group.next());
  }

  private GrpcHandler.Loop<L> loop(EventLoop eventLoop) {
    return loops.computeIfAbsent(
        eventLoop,
        each ->
            new GrpcHandler.Loop<>(
                newLane.apply(each),
                services.newCounters(),
                new byte[SCRATCH_BYTES],
                new OpenCalls(openCallsPerLoop)));
  }

  /**
   * Starts to listen for HTTP/1.1 only.
   *
   * @param tls null for connections in the clear
   */
  public void listenForPages(SocketAddress address, Supplier<SslContext> tls) {
    listen(
        address,
        probes,
        child -> {
          if (tls != null) {
            add(child.pipeline(), tlsHandler(child, tls.get()));
          }
          http(child.pipeline(), probes);
        });
  }

  private void listen(SocketAddress address, Door door, Consumer<Channel> pipeline) {
    boolean isFile = address instanceof DomainSocketAddress;
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(isFile ? EpollServerDomainSocketChannel.class : channelType)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                connectionsPerTurn(door == clients ? 1 : PROBES_PER_TURN))
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR, new ShortTurns(TURN_NANOS, System::nanoTime))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel child) {
                    Source source = sources.connect(child.remoteAddress());
                    Place place =
                        source == null
                            ? null
                            : door.places().take(source, child::close, () -> source.offend(1));
                    if (place == null) {
                      if (source != null) {
                        source.disconnect();
                      }
                      child.close();
                      if (door == clients) {
                        pauseListening((ServerChannel) child.parent());
                      }
                      return;
                    }
                    child.closeFuture().addListener(_ -> source.disconnect());
                    place.occupy(child);
                    connections.add(child);
                    child.pipeline().addLast(new Restraint(source));
                    child.pipeline().addLast(Departures.NAME, departures);
                    pipeline.accept(child);
                  }
                });
    if (!isFile) {
      bootstrap
          .option(ChannelOption.SO_REUSEADDR, true)
          .childOption(ChannelOption.TCP_NODELAY, true)
          .childOption(ChannelOption.SO_KEEPALIVE, true);
    }
    listening.add(bootstrap.bind(address).syncUninterruptibly().channel());
  }

  /** Those who connect in vain over and over shall not take the event loop's time. */
  private static void pauseListening(ServerChannel listening) {
    listening.config().setAutoRead(false);
    listening
        .eventLoop()
        .schedule(
            () -> listening.config().setAutoRead(true),
            PAUSE_AFTER_REFUSAL_MS,
            TimeUnit.MILLISECONDS);
  }

  private static RecvByteBufAllocator connectionsPerTurn(int connections) {
    return new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(connections);
  }

  /**
   * @param pages what is asked for beside gRPC; null if nothing is
   */
  private void grpc(ChannelHandlerContext ctx, Pages pages) {
    GrpcHandler.Loop<L> loop = loop(ctx.channel().eventLoop());
    add(ctx.pipeline(), new GrpcHandlerBuilder<>(services, loop, pages, gateway).build());
  }

  private void http(ChannelPipeline pipeline, Door door) {
    Runnable offence = () -> Restraint.of(pipeline.channel()).offend(1);
    Gateway before = door == clients ? gateway : null;
    PartialBytes bodies = new PartialBytes(services.partialBytes());
    PageConnection.handlers(door.pages(), before, bodies, offence)
        .forEach(each -> add(pipeline, each));
  }

  /** Failures of all of them come to {@link Departures}. */
  private static void add(ChannelPipeline pipeline, ChannelHandler... handlers) {
    for (ChannelHandler handler : handlers) {
      pipeline.addBefore(Departures.NAME, null, handler);
    }
  }

  /** Tells HTTP/2 from HTTP/1.1 by the first bytes. */
  private final class FirstBytes extends ByteToMessageDecoder {
    private Future<?> patience;

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      patience = ctx.executor().schedule(() -> ctx.close(), PATIENCE_S, TimeUnit.SECONDS);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
      patience.cancel(false);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      int bytes = Math.min(in.readableBytes(), PREFACE.length);
      for (int i = 0; i < bytes; i++) {
        if (in.getByte(in.readerIndex() + i) != PREFACE[i]) {
          http(ctx.pipeline(), clients);
          ctx.pipeline().remove(this);
          return;
        }
      }
      if (bytes == PREFACE.length) {
        grpc(ctx, null); // as etcd's, in the clear
        ctx.pipeline().remove(this);
      }
    }
  }

  private final class Negotiated extends ApplicationProtocolNegotiationHandler {
    Negotiated() {
      super(ApplicationProtocolNames.HTTP_1_1);
    }

    @Override
    protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
      Restraint.of(ctx.channel()).offend(1);
      ctx.close();
    }

    /** What is no TLS is a handshake that failed; of who went before its end nothing is logged. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
      if (cause instanceof IOException) {
        ctx.close();
      } else {
        super.exceptionCaught(ctx, cause);
      }
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
      if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
        grpc(ctx, clients.pages());
      } else {
        http(ctx.pipeline(), clients);
      }
    }
  }

  /** Stops to listen, lets calls finish and closes every connection. */
  @Override
  public void close() {
    listening.forEach(channel -> channel.close().syncUninterruptibly());
    // Through the pipelines: HTTP/2 says GOAWAY, lets calls end, and closes what does not in time.
    connections.close().awaitUninterruptibly(services.limits().drainMs() + 1000);
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
