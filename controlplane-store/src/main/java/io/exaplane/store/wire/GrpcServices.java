// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.HashMap;
import java.util.Map;

/**
 * The methods that a server has, by their path. Filled before the server starts, then read by every
 * event loop.
 *
 * @param <L> what the services keep for each event loop
 */
public final class GrpcServices<L> {
  private static final CharSequence CONTENT_TYPE = AsciiString.cached("content-type");

  private final Map<CharSequence, GrpcMethod<L>> methods = new HashMap<>();
  private final int maxMessageBytes;
  private final long drainMs;

  /**
   * @param maxMessageBytes the largest message that a client may send
   * @param drainMs how long calls may go on after the server was asked to stop
   */
  public GrpcServices(int maxMessageBytes, long drainMs) {
    this.maxMessageBytes = maxMessageBytes;
    this.drainMs = drainMs;
  }

  /** Adds a method, as {@code /etcdserverpb.KV/Range}. */
  public void add(String path, GrpcMethod<L> method) {
    methods.put(AsciiString.cached(path), method);
  }

  long drainMs() {
    return drainMs;
  }

  void open(GrpcStream call, Http2Headers headers, L lane) {
    CharSequence type = headers.get(CONTENT_TYPE);
    CharSequence path = headers.path();
    GrpcMethod<L> method = path == null ? null : methods.get(path);
    if (type == null || !AsciiString.of(type).startsWith("application/grpc")) {
      call.fail(GrpcStatus.INTERNAL, "content-type is '%s', not application/grpc".formatted(type));
    } else if (method == null) {
      call.fail(GrpcStatus.UNIMPLEMENTED, "unknown method %s".formatted(path));
    } else {
      call.listener(method.open(call, lane), maxMessageBytes);
    }
  }
}
