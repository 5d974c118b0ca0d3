// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** An HTTP/2 server on loopback whose answers a test makes. Thread-safe. */
public final class TestApi implements AutoCloseable {
  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final Channel listener;
  private final Function<Request, Reply> answers;

  /** What a client sent. */
  public record Request(String method, String path, Map<String, String> headers, String body) {}

  /**
   * What it gets.
   *
   * @param status 0 to close the connection instead; -1 for no answer
   * @param isOpen whether the stream stays open behind the body
   */
  public record Reply(int status, Map<String, String> headers, byte[] body, boolean isOpen) {
    static final Reply DROP = new Reply(0, Map.of(), new byte[0], false);
    static final Reply SILENCE = new Reply(-1, Map.of(), new byte[0], false);

    public static Reply json(int status, String body) {
      return new Reply(status, Map.of(), body.getBytes(StandardCharsets.UTF_8), false);
    }
  }

  /** A Lease, as an answer to a creation or a read of one. */
  public static Reply lease(int status) {
    return new Reply(status, Map.of(), FakeApi.answer(200).body(), false);
  }

  public TestApi(int streams, Function<Request, Reply> answers) throws InterruptedException {
    this.answers = answers;
    listener =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.incrementAndGet();
                    channel
                        .pipeline()
                        .addLast(
                            Http2FrameCodecBuilder.forServer()
                                .initialSettings(
                                    Http2Settings.defaultSettings().maxConcurrentStreams(streams))
                                .build(),
                            new Http2MultiplexHandler(
                                new ChannelInitializer<Channel>() {
                                  @Override
                                  protected void initChannel(Channel stream) {
                                    stream.pipeline().addLast(new Answering());
                                  }
                                }));
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
  }

  String url() {
    return "http://127.0.0.1:" + ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** A kubeconfig with the contexts c, which is the current one, and other. */
  public Path kubeconfig(Path folder) throws java.io.IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        {"apiVersion":"v1","kind":"Config","current-context":"c",
         "clusters":[{"name":"c","cluster":{"server":"%s"}}],
         "users":[{"name":"u","user":{"token":"t"}}],
         "contexts":[{"name":"c","context":{"cluster":"c","user":"u"}},
                     {"name":"other","context":{"cluster":"c","user":"u"}}]}
        """
            .formatted(url()));
  }

  public List<Request> requests() {
    return requests;
  }

  int connections() {
    return connections.get();
  }

  /** One stream; asks the test when the request is complete. */
  private final class Answering extends ChannelInboundHandlerAdapter {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private Http2Headers headers;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Http2HeadersFrame frame) {
        headers = frame.headers();
        if (frame.isEndStream()) {
          answer(context);
        }
      } else if (message instanceof Http2DataFrame frame) {
        body.writeBytes(ByteBufUtil.getBytes(frame.content()));
        frame.release();
        if (frame.isEndStream()) {
          answer(context);
        }
      }
    }

    private void answer(ChannelHandlerContext context) {
      Map<String, String> all = new java.util.TreeMap<>();
      headers.forEach(each -> all.put(each.getKey().toString(), each.getValue().toString()));
      Request request =
          new Request(
              all.get(":method"), all.get(":path"), all, body.toString(StandardCharsets.UTF_8));
      requests.add(request);
      Reply reply = answers.apply(request);
      if (reply.status() == 0) {
        context.channel().parent().close();
      } else if (reply.status() > 0) {
        Http2Headers answer = new DefaultHttp2Headers().status(Integer.toString(reply.status()));
        reply.headers().forEach(answer::add);
        context.write(new DefaultHttp2HeadersFrame(answer));
        context.writeAndFlush(
            new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(reply.body()), !reply.isOpen()));
      }
    }
  }

  @Override
  public void close() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
