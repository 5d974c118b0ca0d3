// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.gateway;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcStream;
import io.exaplane.store.wire.page.Gateway;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.EventExecutor;

/**
 * A call whose client speaks JSON: one answer, or one a line as they come. Belongs to its
 * connection's event loop.
 */
final class GatewayCall implements GrpcStream {
  /** Of one message: JSON takes several times as much, and is made whole. */
  private static final long MOST_MESSAGE_BYTES = 1 << 20;

  /** What JSON takes beside a message: its text, and what is sent of it. */
  private static final int TIMES_AS_LARGE = 6;

  private final Gateway.Client client;
  private final GatewayMemory memory;
  private final Schema.Rpc rpc;
  private final Transcoder transcoder;
  private GrpcListener listener;
  private boolean isServed;
  private byte[] parts;
  private int filled;
  private boolean begun;
  private boolean finished;
  private boolean looksSoon;

  GatewayCall(Gateway.Client client, GatewayMemory memory, Schema.Rpc rpc, Transcoder transcoder) {
    this.client = client;
    this.memory = memory;
    this.rpc = rpc;
    this.transcoder = transcoder;
  }

  @Override
  public String client() {
    return client.name();
  }

  /** Each of them: a request of JSON is expensive in any case. */
  @Override
  public boolean isFirstWrite() {
    return true;
  }

  /** Has somebody serve it, until it ends or the client leaves. */
  void serveBy(GrpcListener listener) {
    this.listener = listener;
    isServed = true;
    client.whenGone(this::close);
    client.whenWritable(this::lookSoon);
  }

  /**
   * The same in a turn of its own. Clients tell that they took a part while it is being sent, and
   * who serves the call is not ready for the next one then: a watch would send its events again.
   */
  private void lookSoon() {
    if (!looksSoon) {
      looksSoon = true;
      loop()
          .execute(
              () -> {
                looksSoon = false;
                look();
              });
    }
  }

  /** Lets it go on if its client takes more. */
  void look() {
    if (isOpen() && isWritable()) {
      listener.writable();
    }
  }

  /** The client has taken an answer, so that there may be room for the next one. */
  private void taken(long bytes) {
    memory.giveBack(bytes);
    if (isServed) {
      lookSoon();
    }
  }

  private void forgetParts() {
    if (parts != null) {
      memory.giveBack(parts.length);
      parts = null;
    }
  }

  /** The call is over; told once. */
  private void close() {
    finished = true;
    forgetParts();
    if (isServed) {
      isServed = false;
      client.whenGone(null);
      client.whenWritable(null);
      listener.closed();
    }
  }

  @Override
  public EventExecutor loop() {
    return client.loop();
  }

  @Override
  public CharSequence metadata(CharSequence name) {
    return null;
  }

  @Override
  public boolean isOpen() {
    return !finished;
  }

  @Override
  public boolean isWritable() {
    return client.isWritable();
  }

  @Override
  public void reply(byte[] array, int offset, int length) {
    send(array, offset, length);
    finish();
  }

  @Override
  public void send(byte[] array, int offset, int length) {
    if (!isOpen()) {
      return;
    }
    if (length > MOST_MESSAGE_BYTES) {
      fail(StoreException.answerTooLarge(length, MOST_MESSAGE_BYTES));
      return;
    }
    long bytes = (long) length * TIMES_AS_LARGE;
    if (!memory.take(bytes)) {
      fail(StoreException.SLOW_READER);
      return;
    }
    StringBuilder json = new StringBuilder();
    if (rpc.isStream()) {
      json.append("{\"result\":");
    }
    transcoder.decode(rpc.response(), array, offset, length, json);
    if (rpc.isStream()) {
      json.append("}\n");
    }
    begin(HttpResponseStatus.OK);
    client.part(json.toString(), () -> taken(bytes));
  }

  @Override
  public void begin(long messageBytes) {
    if (messageBytes > MOST_MESSAGE_BYTES) {
      fail(StoreException.answerTooLarge(messageBytes, MOST_MESSAGE_BYTES));
    } else if (isOpen() && !memory.take(messageBytes)) {
      fail(StoreException.SLOW_READER);
    } else if (isOpen()) {
      parts = new byte[(int) messageBytes];
      filled = 0;
    }
  }

  @Override
  public void part(byte[] array, int offset, int length) {
    if (isOpen()) {
      System.arraycopy(array, offset, parts, filled, length);
      filled += length;
      if (filled == parts.length) {
        byte[] whole = parts;
        forgetParts();
        send(whole, 0, filled);
      }
    }
  }

  private void begin(HttpResponseStatus status) {
    if (!begun) {
      begun = true;
      client.begin(status.code());
    }
  }

  @Override
  public void finish() {
    if (isOpen()) {
      end();
    }
  }

  private void end() {
    begin(HttpResponseStatus.OK);
    close();
    client.end();
  }

  @Override
  public void fail(StoreException e) {
    fail(e.code().number(), e.getMessage());
  }

  /** Ends it with a code of gRPC and a text, as etcd's gateway does. */
  void fail(int code, String message) {
    if (!isOpen()) {
      return;
    }
    StringBuilder json = new StringBuilder();
    if (begun) {
      json.append("{\"error\":");
    }
    json.append("{\"code\":").append(code).append(",\"message\":");
    Transcoder.text(message, json);
    json.append('}').append(begun ? "}\n" : "");
    begin(HttpCodes.of(code));
    client.part(json.toString(), () -> {});
    end();
  }
}
