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
 * An API server in memory: get, list, create, delete, merge patches of metadata with preconditions,
 * and JSON patches of tests and additions. A Service gets an address. Used by one thread.
 */
public final class MemoryApi implements AutoCloseable {
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, ObjectNode> objects = new TreeMap<>();
  private final HttpServer server;
  private final KubernetesClient client;
  private int uids;
  private int created;

  public MemoryApi() throws IOException {
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

  /** Of this server. */
  public KubernetesClient client() {
    return client;
  }

  /** What there is, by path. */
  public Map<String, ObjectNode> objects() {
    return objects;
  }

  /** How many were created since the beginning. */
  public int created() {
    return created;
  }

  private synchronized void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] sent = exchange.getRequestBody().readAllBytes();
    ObjectNode there = objects.get(path);
    switch (exchange.getRequestMethod()) {
      case "GET" -> {
        boolean isList = there == null && !path.contains("/services/") && isCollection(path);
        answer(exchange, there == null && !isList ? 404 : 200, isList ? list(path) : there);
      }
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
        if (path.endsWith("/services") && !object.path("spec").has("clusterIP")) {
          object.withObject("spec").put("clusterIP", "10.0.0." + uids);
        }
        objects.put(at, object);
        answer(exchange, 201, object);
      }
      case "PATCH" -> {
        JsonNode patch = json.readTree(sent);
        if (patch.isArray() && there != null) {
          boolean holds = apply(patch, there);
          answer(exchange, holds ? 200 : 422, holds ? there : null);
          return;
        }
        JsonNode metadata = patch.path("metadata");
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
        JsonNode options = json.readTree(sent);
        JsonNode expected = options.path("preconditions").path("resourceVersion");
        boolean same =
            there != null
                && (expected.isMissingNode()
                    || expected.equals(there.path("metadata").path("resourceVersion")));
        answer(exchange, there == null ? 404 : same ? 200 : 409, same ? there : null);
        if (same && options.path("dryRun").isEmpty()) {
          objects.remove(path);
        }
      }
      default -> answer(exchange, 405, null);
    }
  }

  /** Tests come first. */
  private static boolean apply(JsonNode patch, ObjectNode there) {
    for (JsonNode change : patch) {
      String field = change.get("path").asText();
      if (!change.get("op").asText().equals("test")) {
        ((ObjectNode) there.at(field.substring(0, field.lastIndexOf('/'))))
            .set(field.substring(field.lastIndexOf('/') + 1), change.get("value"));
      } else if (!there.at(field).equals(change.get("value"))) {
        return false;
      }
    }
    ObjectNode own = (ObjectNode) there.get("metadata");
    own.put("resourceVersion", "" + (own.get("resourceVersion").asInt() + 1));
    return true;
  }

  private boolean isCollection(String path) {
    return objects.keySet().stream().anyMatch(each -> each.startsWith(path + "/"));
  }

  private ObjectNode list(String path) {
    ObjectNode list = json.createObjectNode().put("kind", "List").put("apiVersion", "v1");
    list.putObject("metadata");
    list.putArray("items");
    objects.forEach(
        (each, object) -> {
          if (each.startsWith(path + "/")) {
            list.withArray("items").add(object);
          }
        });
    return list;
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
