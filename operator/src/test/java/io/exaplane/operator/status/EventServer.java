// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.EventListBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An API server that knows Events alone: one for each object, by UID. */
public final class EventServer implements AutoCloseable {
  private final Map<String, String[]> events = new ConcurrentHashMap<>();
  private final HttpServer server;
  private final KubernetesClient client;

  public EventServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/api/v1/namespaces/ns/events",
        exchange -> {
          String query = exchange.getRequestURI().getQuery();
          EventListBuilder list = new EventListBuilder();
          events.forEach(
              (uid, event) -> {
                if (query.contains("involvedObject.uid=" + uid)) {
                  list.addToItems(
                      new EventBuilder()
                          .withReason(event[0])
                          .withMessage(event[1])
                          .withLastTimestamp("2026-11-26T10:00:00Z")
                          .build());
                }
              });
          byte[] body = Serialization.asJson(list.build()).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  /** The Event of an object from now on. */
  public void say(String uid, String reason, String message) {
    events.put(uid, new String[] {reason, message});
  }

  public KubernetesClient client() {
    return client;
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
  }
}
