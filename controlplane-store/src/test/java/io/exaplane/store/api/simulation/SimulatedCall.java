// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcStream;
import io.netty.util.concurrent.EventExecutor;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/** A call whose network is the simulation. */
public final class SimulatedCall implements GrpcStream {
  private final EventExecutor loop;
  private final Consumer<byte[]> responses;
  private final Consumer<StoreException> failure;
  private boolean open = true;
  private ByteArrayOutputStream parts;
  private long expected;
  boolean writable = true;

  /** Whether the client was asked to come by another connection. */
  boolean hasLeft;

  /** Whether the client takes what is sent. */
  public void writable(boolean writable) {
    this.writable = writable;
  }

  /** A call on an event loop, whose messages and whose failure somebody gets. */
  public SimulatedCall(
      EventExecutor loop, Consumer<byte[]> responses, Consumer<StoreException> failure) {
    this.loop = loop;
    this.responses = responses;
    this.failure = failure;
  }

  @Override
  public CharSequence metadata(CharSequence name) {
    return null;
  }

  @Override
  public EventExecutor loop() {
    return loop;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public boolean isWritable() {
    return writable;
  }

  @Override
  public void reply(byte[] array, int offset, int length) {
    send(array, offset, length);
    finish();
  }

  @Override
  public void send(byte[] array, int offset, int length) {
    if (open) {
      responses.accept(Arrays.copyOfRange(array, offset, offset + length));
    }
  }

  @Override
  public void begin(long messageBytes) {
    parts = new ByteArrayOutputStream();
    expected = messageBytes;
  }

  @Override
  public void part(byte[] array, int offset, int length) {
    parts.write(array, offset, length);
    if (parts.size() == expected) {
      send(parts.toByteArray(), 0, parts.size());
    }
  }

  @Override
  public void finish() {
    open = false;
  }

  @Override
  public void leave() {
    hasLeft = true;
  }

  @Override
  public void fail(StoreException e) {
    if (open) {
      open = false;
      failure.accept(e);
    }
  }
}
