// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** An API server that knows Secrets alone, and takes as many writes as it is told to. */
final class SecretServer implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final Map<String, ObjectNode> secrets = new ConcurrentHashMap<>();
  private final HttpServer server;
  final KubernetesClient client;
  private int version;
  private int writesLeft = Integer.MAX_VALUE;
  int writes;

  SecretServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
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

  /** From now on: as many writes, then each is refused as by a server that stops. */
  synchronized void allow(int writes) {
    writesLeft = writes;
  }

  Secret get(String name) {
    ObjectNode secret = secrets.get(name);
    return secret == null ? null : Serialization.unmarshal(secret.toString(), Secret.class);
  }

  /** Somebody deletes a Secret. */
  synchronized void remove(String name) {
    secrets.remove(name);
  }

  /** Somebody restores a Secret with this file alone. */
  synchronized void restore(Secret secret, String file, String text) {
    secret.setData(
        Map.of(file, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
    secrets.put(secret.getMetadata().getName(), JSON.valueToTree(secret));
  }

  /** Files of all Secrets. */
  Map<String, Map<String, byte[]>> files() {
    Map<String, Map<String, byte[]>> all = new TreeMap<>();
    secrets.keySet().forEach(name -> all.put(name, SecretStore.files(get(name))));
    return all;
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String name = path.substring(path.lastIndexOf('/') + 1);
    byte[] sent = exchange.getRequestBody().readAllBytes();
    int code = 200;
    ObjectNode there = secrets.get(name);
    if (!exchange.getRequestMethod().equals("GET")) {
      // JSON or YAML, as the client likes.
      ObjectNode body =
          JSON.valueToTree(
              Serialization.unmarshal(new String(sent, StandardCharsets.UTF_8), Map.class));
      name = body.path("metadata").path("name").asText(name);
      String expected = body.path("metadata").path("resourceVersion").asText("");
      there = secrets.get(name);
      if (writesLeft-- <= 0) {
        code = 503;
      } else if (there != null
          && (exchange.getRequestMethod().equals("POST")
              || !expected.isEmpty()
                  && !expected.equals(there.path("metadata").path("resourceVersion").asText()))) {
        code = 409;
      } else {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        there = type.contains("merge-patch") ? merge(there.deepCopy(), body) : body;
        there.withObject("/metadata").put("resourceVersion", Integer.toString(++version));
        secrets.put(name, there);
        writes++;
      }
    } else if (there == null) {
      code = 404;
    }
    byte[] body =
        (code == 200
                ? there.toString()
                : "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":%d}".formatted(code))
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static ObjectNode merge(ObjectNode there, ObjectNode patch) {
    patch
        .properties()
        .forEach(
            field -> {
              JsonNode value = field.getValue();
              if (value.isNull()) {
                there.remove(field.getKey());
              } else if (value.isObject()) {
                merge(there.withObject("/" + field.getKey()), (ObjectNode) value);
              } else {
                there.set(field.getKey(), value);
              }
            });
    return there;
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
  }
}
