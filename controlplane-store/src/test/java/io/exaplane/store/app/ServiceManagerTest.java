// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What systemd is told, by a socket of a file and by one that is in no file system. */
class ServiceManagerTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isToldByADatagram(boolean isAbstract) throws Exception {
    String name =
        isAbstract ? "exaplane-test-" + System.nanoTime() : folder.resolve("s").toString();
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    try {
      Channel manager =
          new Bootstrap()
              .group(group)
              .channel(EpollDomainDatagramChannel.class)
              .handler(
                  new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                    @Override
                    protected void channelRead0(
                        ChannelHandlerContext ctx, DomainDatagramPacket packet) {
                      told.add(packet.content().toString(StandardCharsets.US_ASCII));
                    }
                  })
              .bind(new DomainSocketAddress(isAbstract ? "\0" + name : name))
              .syncUninterruptibly()
              .channel();
      ServiceManager service = new ServiceManager(isAbstract ? "@" + name : name);
      service.ready();
      assertThat(told.poll(10, TimeUnit.SECONDS)).startsWith("READY=1\n");
      service.stopping();
      assertThat(told.poll(10, TimeUnit.SECONDS)).startsWith("STOPPING=1\n");
      manager.close().syncUninterruptibly();
    } finally {
      group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
  }

  @Test
  void nobodyIsTold() {
    new ServiceManager(null).ready();
    new ServiceManager("").ready();
    new ServiceManager("/nowhere/at/all").ready(); // told in the log, and the store goes on
  }
}
