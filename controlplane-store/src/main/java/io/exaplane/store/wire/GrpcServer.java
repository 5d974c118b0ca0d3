// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
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
  private static final int BACKLOG = 4096;
  private static final int MOST_HTTP_BYTES = 64 << 10;

  private final GrpcServices<L> services;
  private final Supplier<ChannelHandler> pages;
  private final EventLoopGroup group;
  private final Class<? extends ServerChannel> channelType;
  private final Map<EventLoop, L> lanes = new ConcurrentHashMap<>();
  private final Function<EventLoop, L> newLane;
  private final List<Channel> listening = new ArrayList<>();
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
   * @param tls null for connections in the clear
   */
  public void listen(InetSocketAddress address, Supplier<SslContext> tls) {
    Channel channel =
        new ServerBootstrap()
            .group(group)
            .channel(channelType)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel child) {
                    connections.add(child);
                    if (tls == null) {
                      child.pipeline().addLast(new FirstBytes());
                    } else {
                      child
                          .pipeline()
                          .addLast(tls.get().newHandler(child.alloc()), new Negotiated());
                    }
                  }
                })
            .bind(address)
            .syncUninterruptibly()
            .channel();
    listening.add(channel);
  }

  private void grpc(ChannelHandlerContext ctx) {
    L lane = lanes.computeIfAbsent(ctx.channel().eventLoop(), newLane);
    ctx.pipeline().addLast(GrpcHandler.create(services, lane));
  }

  private void http(ChannelHandlerContext ctx) {
    ctx.pipeline()
        .addLast(new HttpServerCodec(), new HttpObjectAggregator(MOST_HTTP_BYTES), pages.get());
  }

  /** Tells HTTP/2 from HTTP/1.1 by the first bytes. */
  private final class FirstBytes extends ByteToMessageDecoder {
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      int bytes = Math.min(in.readableBytes(), PREFACE.length);
      for (int i = 0; i < bytes; i++) {
        if (in.getByte(in.readerIndex() + i) != PREFACE[i]) {
          http(ctx);
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
    protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
      if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
        grpc(ctx);
      } else {
        http(ctx);
      }
    }
  }

  /** Stops to listen, lets calls finish and closes every connection. */
  @Override
  public void close() {
    listening.forEach(channel -> channel.close().syncUninterruptibly());
    // Through the pipelines: HTTP/2 says GOAWAY, lets calls end, and closes what does not in time.
    connections.close().awaitUninterruptibly(services.drainMs() + 1000);
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
