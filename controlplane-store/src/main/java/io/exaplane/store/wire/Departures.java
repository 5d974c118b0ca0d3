// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import java.io.IOException;
import javax.net.ssl.SSLException;

/**
 * The last handler of a connection: closes it without a word when its client went, or said what is
 * no TLS. Both are the client's own affair; anything else is a fault of ours and goes on to the
 * log.
 */
@Sharable
final class Departures extends ChannelInboundHandlerAdapter {
  static final String NAME = "departures";

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (isOfClient(cause)) {
      ctx.close();
    } else {
      ctx.fireExceptionCaught(cause);
    }
  }

  /** Whether a failure of a connection is its client's. Pure. */
  static boolean isOfClient(Throwable cause) {
    boolean isWrapped = cause instanceof DecoderException && cause.getCause() != null;
    Throwable inner = isWrapped ? cause.getCause() : cause;
    // The decoder of HTTP/1.1 tells so of a body without its end. SSLException is an IOException.
    return inner instanceof IOException
        || inner instanceof SSLException
        || inner instanceof PrematureChannelClosureException;
  }
}
