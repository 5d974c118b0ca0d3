// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.TimeUnit;

/**
 * How often a client may ping: every 5 seconds while it has calls, as etcd's servers allow; without
 * calls every two hours. Two pings too many are forgiven, and any ping after something was sent:
 * clients measure with pings how much data may be under way. Sits between HTTP/2 and the wire to
 * see what is sent.
 */
final class PingPolicy extends ChannelOutboundHandlerAdapter {
  private static final long MIN_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long MIN_IDLE_NANOS = TimeUnit.HOURS.toNanos(2);
  private static final int FORGIVEN = 2;

  private long sent;
  private long sentAtPing;
  private boolean pinged;
  private long lastNanos;
  private int strikes;

  @Override
  public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
    sent();
    ctx.write(msg, promise);
  }

  void sent() {
    sent++;
  }

  /** Takes a ping in, whose answer was sent already, and says whether the client may go on. */
  boolean allows(long nowNanos, boolean hasCalls) {
    boolean onlyAnswered = sent - sentAtPing <= 1;
    sentAtPing = sent;
    long least = hasCalls ? MIN_NANOS : MIN_IDLE_NANOS;
    if (!onlyAnswered) {
      strikes = 0;
    } else if (pinged && nowNanos - lastNanos < least) {
      strikes++;
    }
    pinged = true;
    lastNanos = nowNanos;
    return strikes <= FORGIVEN;
  }
}
