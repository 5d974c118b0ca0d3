// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.exaplane.store.wire.page.Gateway;
import io.exaplane.store.wire.page.Pages;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;

/**
 * Makes the handler of a connection of HTTP/2, with its bounds. Those that are not set here are
 * netty's: 16 small CONTINUATION frames, two empty DATA frames in turn, 10,000 answers to SETTINGS
 * and PING that wait, 200 streams in 30 s that a client makes us reset.
 */
final class GrpcHandlerBuilder<L>
    extends AbstractHttp2ConnectionHandlerBuilder<GrpcHandler<L>, GrpcHandlerBuilder<L>> {
  /** Enough for a request of etcd's default size without waiting for the window. */
  private static final int WINDOW_BYTES = 2 << 20;

  private static final int MAX_HEADER_LIST_BYTES = 16 << 10;
  private static final int MAX_RESETS_PER_WINDOW = 4_000;
  private static final int RESET_WINDOW_SECONDS = 10;

  private final GrpcServices<L> services;
  private final GrpcHandler.Loop<L> loop;
  private final Pages pages;
  private final Gateway gateway;

  /**
   * @param pages what is asked for beside gRPC; null if nothing is
   * @param gateway null if there is none
   */
  GrpcHandlerBuilder(
      GrpcServices<L> services, GrpcHandler.Loop<L> loop, Pages pages, Gateway gateway) {
    this.services = services;
    this.loop = loop;
    this.pages = pages;
    this.gateway = gateway;
    // All calls are alike: no tree of priorities, which HTTP/2 has given up (RFC 9113, 5.3.2).
    Http2Connection connection = new DefaultHttp2Connection(true);
    connection
        .remote()
        .flowController(
            new DefaultHttp2RemoteFlowController(
                connection, new UniformStreamByteDistributor(connection)));
    connection(connection);
    frameListener(new Http2FrameAdapter());
    validateHeaders(true);
    gracefulShutdownTimeoutMillis(services.limits().drainMs());
    decoderEnforceMaxRstFramesPerWindow(MAX_RESETS_PER_WINDOW, RESET_WINDOW_SECONDS);
    initialSettings(
        new Http2Settings()
            .maxConcurrentStreams(services.limits().maxStreams())
            .initialWindowSize(WINDOW_BYTES)
            .maxHeaderListSize(MAX_HEADER_LIST_BYTES));
  }

  @Override
  protected GrpcHandler<L> build() {
    return super.build();
  }

  @Override
  protected GrpcHandler<L> build(
      Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
    GrpcHandler<L> handler =
        new GrpcHandler<>(decoder, encoder, settings, services, loop, pages, gateway);
    frameListener(handler.listen());
    return handler;
  }
}
