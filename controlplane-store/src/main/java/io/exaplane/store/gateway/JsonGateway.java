// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.gateway;

import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcMethod;
import io.exaplane.store.wire.GrpcServices;
import io.exaplane.store.wire.page.Gateway;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
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
  private static final int INVALID_ARGUMENT = 3;
  private static final int NOT_FOUND = 5;
  private static final int UNIMPLEMENTED = 12;
  private static final Schema.Rpc NONE = new Schema.Rpc("", "", "", false);

  private final GrpcServices<L> services;
  private final Function<EventLoop, L> lanes;
  private final GatewayMemory memory = new GatewayMemory(Runtime.getRuntime().maxMemory() / 8);

  /** Read when somebody asks for the first time. */
  private static final class Lazy {
    private static final Schema SCHEMA = Schema.load();
  }

  /**
   * @param lanes what the services keep for an event loop
   */
  public JsonGateway(GrpcServices<L> services, Function<EventLoop, L> lanes) {
    this.services = services;
    this.lanes = lanes;
  }

  @Override
  public boolean has(String path) {
    return path.startsWith(PREFIX);
  }

  @Override
  public void serve(String verb, String uri, String body, Client client) {
    String path = uri.replaceFirst("\\?.*", "");
    Schema.Rpc rpc = Lazy.SCHEMA.rpc(path);
    Transcoder transcoder = new Transcoder(Lazy.SCHEMA);
    GatewayCall call = new GatewayCall(client, memory, rpc == null ? NONE : rpc, transcoder);
    if (rpc == null) {
      call.fail(NOT_FOUND, "Not Found");
    } else if (!verb.equals("POST")) {
      call.fail(UNIMPLEMENTED, "Method Not Allowed");
    } else {
      serve(client, call, rpc, transcoder, body);
    }
  }

  private void serve(
      Client client, GatewayCall call, Schema.Rpc rpc, Transcoder transcoder, String body) {
    GrpcMethod<L> method = services.method("/" + rpc.name());
    if (method == null) {
      call.fail(UNIMPLEMENTED, "unknown method /" + rpc.name());
      return;
    }
    List<byte[]> messages = new ArrayList<>();
    try {
      JsonReader in = new JsonReader(body);
      while (!in.atEnd()) {
        messages.add(transcoder.encode(rpc.request(), in.value()));
      }
    } catch (IllegalArgumentException e) {
      call.fail(INVALID_ARGUMENT, e.getMessage());
      return;
    }
    if (messages.isEmpty()) {
      messages.add(new byte[0]);
    }
    GrpcListener listener = method.open(call, lanes.apply(client.loop()));
    call.serveBy(listener);
    for (byte[] message : messages) {
      if (call.isOpen()) {
        listener.message(message, 0, message.length);
      }
    }
    if (call.isOpen()) {
      listener.halfClosed();
    }
  }
}
