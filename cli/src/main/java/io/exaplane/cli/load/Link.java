// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;

/**
 * One connection to the server, made when it is needed, and made again when it ended. Thread-safe;
 * all of its exchanges live on one event loop.
 */
final class Link {
  private static final int CONNECT_MS = 10_000;

  private final Server server;
  private final EventLoop loop;
  private final Bootstrap bootstrap;

  /** Of the loop. */
  private Promise<Session> session;

  Link(Server server, EventLoop loop) {
    this.server = server;
    this.loop = loop;
    this.bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MS);
  }

  /** Sends; the exchange fails if no connection can be had. */
  void start(Exchange exchange) {
    onLoop(
        () ->
            session()
                .addListener(
                    (Future<Session> done) -> {
                      if (done.isSuccess()) {
                        done.getNow().start(exchange);
                      } else {
                        exchange.fail(words(done.cause()));
                      }
                    }));
  }

  /** Ends an exchange that nobody wants any more. */
  void abandon(Exchange exchange) {
    onLoop(
        () -> {
          exchange.abandon();
          if (session != null && session.isSuccess()) {
            session.getNow().reset(exchange);
          }
        });
  }

  private void onLoop(Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
    } else {
      loop.execute(task);
    }
  }

  /** How many streams the server lets this connection have; connects. */
  Future<Integer> limit() {
    Promise<Integer> limit = loop.newPromise();
    onLoop(
        () ->
            session()
                .addListener(
                    (Future<Session> done) -> {
                      if (done.isSuccess()) {
                        done.getNow().limit(limit);
                      } else {
                        limit.tryFailure(done.cause());
                      }
                    }));
    return limit;
  }

  void close() {
    onLoop(
        () -> {
          if (session != null && session.isSuccess()) {
            session.getNow().close();
          }
        });
  }

  private Promise<Session> session() {
    boolean isGone =
        session == null
            || session.isDone() && (!session.isSuccess() || !session.getNow().isUsable());
    if (isGone) {
      session = connect();
    }
    return session;
  }

  private Promise<Session> connect() {
    Promise<Session> made = loop.newPromise();
    ChannelFuture connected =
        bootstrap
            .clone()
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    Session.prepare(channel, server, made);
                  }
                })
            .connect(server.host(), server.port());
    connected.addListener(
        done -> {
          if (!done.isSuccess()) {
            made.tryFailure(done.cause());
          }
        });
    return made;
  }

  private static String words(Throwable failure) {
    Throwable last = failure;
    while (last.getCause() != null && last.getCause() != last) {
      last = last.getCause();
    }
    return last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
  }
}
