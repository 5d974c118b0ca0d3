// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Tells the service manager that started the process how it is doing (sd_notify(3)): a datagram to
 * the socket that {@code NOTIFY_SOCKET} names. Without one it does nothing. Any thread.
 */
final class ServiceManager {
  private static final System.Logger LOG = System.getLogger(ServiceManager.class.getName());
  private static final long PATIENCE_S = 5;

  private final String socket;

  /**
   * @param socket a path, or {@code @} and a name that is in no file system; null for nobody
   */
  ServiceManager(String socket) {
    this.socket = socket;
  }

  /** The store serves. */
  void ready() {
    tell("READY=1\nSTATUS=The store serves.\n");
  }

  /** The store was asked to end. */
  void stopping() {
    tell("STOPPING=1\nSTATUS=The store stops.\n");
  }

  private void tell(String state) {
    if (socket == null || socket.isEmpty()) {
      return;
    }
    String path = socket.startsWith("@") ? "\0" + socket.substring(1) : socket;
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    try {
      Channel channel =
          new Bootstrap()
              .group(group)
              .channel(EpollDomainDatagramChannel.class)
              .handler(new ChannelInboundHandlerAdapter())
              .connect(new DomainSocketAddress(path))
              .syncUninterruptibly()
              .channel();
      channel
          .writeAndFlush(Unpooled.copiedBuffer(state, StandardCharsets.US_ASCII))
          .get(PATIENCE_S, TimeUnit.SECONDS);
      channel.close().syncUninterruptibly();
    } catch (Exception e) { // the store serves all the same
      LOG.log(
          System.Logger.Level.WARNING,
          "the store could not tell the service manager at NOTIFY_SOCKET={0} that the store serves: {1}",
          socket,
          e.toString());
    } finally {
      group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
  }
}
