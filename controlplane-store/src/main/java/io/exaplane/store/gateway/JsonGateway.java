// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.gateway;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcMethod;
import io.exaplane.store.wire.GrpcServices;
import io.exaplane.store.wire.page.Gateway;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.function.Function;

/**
 * etcd's gateway: the methods of gRPC by POST of JSON to {@code /v3/…}, on the ports of clients. A
 * call is served by the same services as those of gRPC, on its connection's event loop. What a
 * client says comes whole; answers of streams come one a line. Thread-safe.
 *
 * @param <L> what the services keep for each event loop
 */
public final class JsonGateway<L> implements Gateway {
  private static final String PREFIX = "/v3/";

  /** As etcd's clients of old have it; etcd 3.6 serves it, too. */
  private static final String BETA = "/v3beta/";

  private static final int INVALID_ARGUMENT = 3;
  private static final int NOT_FOUND = 5;

  /** What a body takes while it is read: itself, its texts, their bytes, the message. */
  private static final long TIMES_AS_LARGE = 4;

  /** Of JSON around the largest message, and of base64 three bytes in four. */
  private static final int AROUND_BYTES = 64 << 10;

  private static final int UNIMPLEMENTED = 12;
  private static final Schema.Rpc NONE = new Schema.Rpc("", "", "", false);

  private final GrpcServices<L> services;
  private final Function<EventLoop, L> lanes;
  private final int mostMessageBytes;
  private final GatewayMemory memory = new GatewayMemory(Runtime.getRuntime().maxMemory() / 8);

  /** Read when somebody asks for the first time. */
  private static final class Lazy {
    private static final Schema SCHEMA = Schema.load();
  }

  /**
   * @param lanes what the services keep for an event loop
   * @param mostMessageBytes the largest request, as it is without JSON
   */
  public JsonGateway(GrpcServices<L> services, Function<EventLoop, L> lanes, int mostMessageBytes) {
    this.mostMessageBytes = mostMessageBytes;
    this.services = services;
    this.lanes = lanes;
  }

  @Override
  public boolean has(String path) {
    return path.startsWith(PREFIX) || path.startsWith(BETA);
  }

  @Override
  public int mostBodyBytes() {
    return (int) Math.min(Integer.MAX_VALUE / 2, mostMessageBytes / 3L * 4 + AROUND_BYTES);
  }

  @Override
  public void serve(String verb, String uri, String body, Client client) {
    String path = uri.replaceFirst("\\?.*", "");
    if (path.startsWith(BETA)) {
      path = PREFIX + path.substring(BETA.length());
    }
    Schema.Rpc rpc = Lazy.SCHEMA.rpc(path);
    Transcoder transcoder = new Transcoder(Lazy.SCHEMA);
    GatewayCall call = new GatewayCall(client, memory, rpc == null ? NONE : rpc, transcoder);
    if (rpc == null) {
      call.fail(NOT_FOUND, "Not Found");
    } else if (!verb.equals("POST")) {
      call.fail(UNIMPLEMENTED, "Method Not Allowed");
    } else if (!memory.take(TIMES_AS_LARGE * body.length())) {
      call.fail(StoreException.TOO_MANY_REQUESTS);
    } else {
      try {
        serve(client, call, rpc, transcoder, body);
      } finally {
        memory.giveBack(TIMES_AS_LARGE * body.length());
      }
    }
  }

  private void serve(
      Client client, GatewayCall call, Schema.Rpc rpc, Transcoder transcoder, String body) {
    GrpcMethod<L> method = services.method("/" + rpc.name());
    if (method == null) {
      call.fail(UNIMPLEMENTED, "unknown method /" + rpc.name());
      return;
    }
    JsonReader in = new JsonReader(body);
    Optional<byte[]> first;
    try {
      first = next(rpc, transcoder, in);
    } catch (IllegalArgumentException e) {
      call.fail(INVALID_ARGUMENT, e.getMessage());
      return;
    }
    GrpcListener listener = method.open(call, lanes.apply(client.loop()));
    call.serveBy(listener);
    if (listener.takesMany()) {
      messages(call, rpc, transcoder, listener, first, in);
    } else {
      // What comes behind its one request is not looked at, as in etcd.
      message(call, listener, first.orElse(new byte[0]));
    }
    if (call.isOpen()) {
      listener.halfClosed();
    }
    call.look();
  }

  /** All that a client says on a stream; what is wrong ends it, after what came before. */
  private static void messages(
      GatewayCall call,
      Schema.Rpc rpc,
      Transcoder transcoder,
      GrpcListener listener,
      Optional<byte[]> first,
      JsonReader in) {
    Optional<byte[]> next = first;
    while (call.isOpen() && next.isPresent()) {
      message(call, listener, next.get());
      try {
        next = next(rpc, transcoder, in);
      } catch (IllegalArgumentException e) {
        call.fail(INVALID_ARGUMENT, e.getMessage());
      }
    }
  }

  private static void message(GatewayCall call, GrpcListener listener, byte[] message) {
    if (call.isOpen()) {
      listener.message(message, 0, message.length);
    }
  }

  /**
   * The next message of a body; empty at its end.
   *
   * @throws IllegalArgumentException if it is none of the method's
   */
  private static Optional<byte[]> next(Schema.Rpc rpc, Transcoder transcoder, JsonReader in) {
    return in.atEnd()
        ? Optional.empty()
        : Optional.of(transcoder.encode(rpc.request(), in.value()));
  }
}
