// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;

/**
 * An API server in memory: get, create, delete and merge patches of metadata, with preconditions.
 * Used by one thread.
 */
final class MemoryApi implements AutoCloseable {
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, ObjectNode> objects = new TreeMap<>();
  private final HttpServer server;
  private final KubernetesClient client;
  private int uids;
  private int created;

  MemoryApi() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
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

  KubernetesClient client() {
    return client;
  }

  Map<String, ObjectNode> objects() {
    return objects;
  }

  /** How many were created since the beginning. */
  int created() {
    return created;
  }

  private synchronized void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] sent = exchange.getRequestBody().readAllBytes();
    ObjectNode there = objects.get(path);
    switch (exchange.getRequestMethod()) {
      case "GET" -> answer(exchange, there == null ? 404 : 200, there);
      case "POST" -> {
        ObjectNode object = (ObjectNode) json.readTree(sent);
        ObjectNode metadata = (ObjectNode) object.get("metadata");
        if (!metadata.has("name")) {
          metadata.put("name", metadata.get("generateName").asText() + uids);
        }
        String at = path + "/" + metadata.get("name").asText();
        if (objects.containsKey(at)) {
          answer(exchange, 409, null);
          return;
        }
        uids++;
        created++;
        metadata.put("uid", "uid-" + uids).put("resourceVersion", "1");
        objects.put(at, object);
        answer(exchange, 201, object);
      }
      case "PATCH" -> {
        JsonNode metadata = json.readTree(sent).path("metadata");
        if (there == null || !holds(there, metadata)) {
          answer(exchange, there == null ? 404 : 409, null);
          return;
        }
        ObjectNode own = (ObjectNode) there.get("metadata");
        own.set("ownerReferences", metadata.get("ownerReferences"));
        own.put("resourceVersion", "" + (own.get("resourceVersion").asInt() + 1));
        answer(exchange, 200, there);
      }
      case "DELETE" -> {
        JsonNode expected = json.readTree(sent).path("preconditions").path("resourceVersion");
        boolean same =
            there != null
                && (expected.isMissingNode()
                    || expected.equals(there.path("metadata").path("resourceVersion")));
        answer(exchange, there == null ? 404 : same ? 200 : 409, same ? there : null);
        if (same) {
          objects.remove(path);
        }
      }
      default -> answer(exchange, 405, null);
    }
  }

  private static boolean holds(ObjectNode there, JsonNode metadata) {
    return there.get("metadata").path("uid").equals(metadata.path("uid"))
        && there.get("metadata").path("resourceVersion").equals(metadata.path("resourceVersion"));
  }

  private void answer(HttpExchange exchange, int code, ObjectNode object) throws IOException {
    byte[] body =
        json.writeValueAsBytes(
            object == null
                ? json.createObjectNode()
                    .put("kind", "Status")
                    .put("apiVersion", "v1")
                    .put("code", code)
                : object);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
  }
}
