// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.door;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;

/**
 * The place of one connection. Its event loop says when the connection has something to do; a
 * connection that has nothing to do may have to make room for a new one. Thread-safe.
 */
public final class Place {
  private static final AttributeKey<Place> KEY = AttributeKey.valueOf(Place.class, "place");

  private final Places places;
  private final Object source;
  private final Runnable close;
  private volatile boolean isIdle = true;
  private volatile long idleSinceNanos;

  Place(Places places, Object source, Runnable close, long nowNanos) {
    this.places = places;
    this.source = source;
    this.close = close;
    this.idleSinceNanos = nowNanos;
  }

  /** Gives a connection its place until it is closed. */
  public void occupy(Channel channel) {
    channel.attr(KEY).set(this);
    channel.closeFuture().addListener(_ -> places.leave(this));
  }

  /** The place of a connection. */
  public static Place of(Channel channel) {
    return channel.attr(KEY).get();
  }

  /** The client has asked for something that is not answered yet. */
  public void busy() {
    isIdle = false;
  }

  /** Everything is answered. */
  public void idle() {
    idleSinceNanos = places.nowNanos();
    isIdle = true;
  }

  boolean isIdle() {
    return isIdle;
  }

  long idleSinceNanos() {
    return idleSinceNanos;
  }

  Object source() {
    return source;
  }

  void close() {
    close.run();
  }
}
