// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

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
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
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
  private static final int SCRATCH_BYTES = 64 << 10;
  private static final int BACKLOG = 1024;

  /** A connection that has not said by then what it wants is closed. */
  private static final long PATIENCE_S = 20;

  private static final int MOST_HTTP_BYTES = 64 << 10;

  private final GrpcServices<L> services;
  private final Supplier<ChannelHandler> pages;
  private final EventLoopGroup group;
  private final Class<? extends ServerChannel> channelType;

  private record Loop<L>(L lane, CallCounters[] counters, byte[] scratch) {}

  private final Map<EventLoop, Loop<L>> loops = new ConcurrentHashMap<>();
  private final Function<EventLoop, L> newLane;
  private final List<Channel> listening = new ArrayList<>();
  private final Departures departures = new Departures();
  private final Sources sources = new Sources(System::nanoTime);
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  /**
   * @param eventLoops number of threads that serve connections
   * @param newLane makes what the services keep for an event loop
   * @param pages makes a handler of whole HTTP/1.1 requests
   */
  public GrpcServer(
      GrpcServices<L> services,
      int eventLoops,
      Function<EventLoop, L> newLane,
      Supplier<ChannelHandler> pages) {
    this.services = services;
    this.pages = pages;
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

  /** Starts to listen for plain HTTP/1.1 only. */
  public void listenForPages(SocketAddress address) {
    listen(address, child -> http(child.pipeline()));
  }

  private void listen(SocketAddress address, Consumer<Channel> pipeline) {
    boolean isFile = address instanceof DomainSocketAddress;
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(isFile ? EpollServerDomainSocketChannel.class : channelType)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.RECVBUF_ALLOCATOR, oneConnectionPerTurn())
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR, new ShortTurns(TURN_NANOS, System::nanoTime))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel child) {
                    Source source = sources.connect(child.remoteAddress());
                    if (source == null) {
                      child.close();
                      pauseListening((ServerChannel) child.parent());
                      return;
                    }
                    child.closeFuture().addListener(_ -> source.disconnect());
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

  private static RecvByteBufAllocator oneConnectionPerTurn() {
    return new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(1);
  }

  private void grpc(ChannelHandlerContext ctx) {
    Loop<L> loop =
        loops.computeIfAbsent(
            ctx.channel().eventLoop(),
            each ->
                new Loop<>(newLane.apply(each), services.newCounters(), new byte[SCRATCH_BYTES]));
    add(ctx.pipeline(), GrpcHandler.create(services, loop.lane(), loop.counters(), loop.scratch()));
  }

  private void http(ChannelPipeline pipeline) {
    add(pipeline, new HttpServerCodec(), new HttpObjectAggregator(MOST_HTTP_BYTES), pages.get());
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
          http(ctx.pipeline());
          ctx.pipeline().remove(this);
          return;
        }
      }
      if (bytes == PREFACE.length) {
        grpc(ctx);
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
        grpc(ctx);
      } else {
        http(ctx.pipeline());
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
