// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * An API server of a management cluster that holds what a test puts in, filters by labels, creates,
 * merges patches, deletes what a UID names, and forbids what the test forbids. Runs exactl against
 * itself.
 */
final class PlaneApi implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, String> ROOTS =
      Map.of(
          "ControlPlane", "/apis/exaplane.io/v1alpha1/namespaces/ns/controlplanes",
          "StoreShard", "/apis/exaplane.io/v1alpha1/namespaces/ns/storeshards",
          "SchedulerPool", "/apis/exaplane.io/v1alpha1/namespaces/ns/schedulerpools",
          "NodePool", "/apis/exaplane.io/v1alpha1/namespaces/ns/nodepools",
          "ControlPlaneTask", "/apis/exaplane.io/v1alpha1/namespaces/ns/controlplanetasks",
          "Pod", "/api/v1/namespaces/ns/pods",
          "Secret", "/api/v1/namespaces/ns/secrets",
          "ConfigMap", "/api/v1/namespaces/ns/configmaps",
          "Event", "/api/v1/namespaces/ns/events",
          "PodMetrics", "/apis/metrics.k8s.io/v1beta1/namespaces/ns/pods");

  /** All tasks, and the one that is created. */
  private static final String FAILING = ".*/controlplanetasks(?:/reshard-x7)?";

  private final Map<String, JsonNode> objects = new ConcurrentSkipListMap<>();
  private final Map<String, String> logs = new ConcurrentHashMap<>();
  private final Set<String> endless = Collections.synchronizedSet(new HashSet<>());
  private final Set<String> forbidden = Collections.synchronizedSet(new HashSet<>());
  private final Set<String> unknown = Collections.synchronizedSet(new HashSet<>());
  private final Map<String, Integer> failing = new ConcurrentHashMap<>();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final List<JsonNode> statuses = new ArrayList<>();
  private String schemas = "";
  private final HttpServer server;
  private final Path kubeconfig;
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  PlaneApi(Path folder) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            {"apiVersion":"v1","kind":"Config","current-context":"c",
             "clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:%d"}}],
             "users":[{"name":"u","user":{"token":"t"}}],
             "contexts":[{"name":"c","context":{"cluster":"c","user":"u","namespace":"ns"}}]}
            """
                .formatted(server.getAddress().getPort()));
  }

  /** Puts objects in, as documents of YAML. */
  PlaneApi with(String yaml) throws IOException {
    try (var documents = new YAMLMapper().readerFor(JsonNode.class).<JsonNode>readValues(yaml)) {
      while (documents.hasNextValue()) {
        JsonNode object = documents.nextValue();
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        if (!metadata.has("namespace")) {
          metadata.put("namespace", "ns");
        }
        if (!metadata.has("uid")) {
          metadata.put("uid", UUID.randomUUID().toString());
        }
        String root =
            ROOTS
                .get(object.path("kind").asText())
                .replace("/ns/", "/" + metadata.path("namespace").asText() + "/");
        objects.put(root + "/" + metadata.path("name").asText(), object);
      }
    }
    return this;
  }

  PlaneApi log(String pod, String container, boolean previous, String text) {
    logs.put(pod + "/" + container + "/" + previous, text);
    return this;
  }

  /** A container that writes a line until nobody reads it; nothing else is answered then. */
  PlaneApi endlessLog(String pod, String container) {
    endless.add(pod + "/" + container + "/false");
    return this;
  }

  /** As "list pods"; logs are "get pods/log". */
  PlaneApi forbid(String right) {
    forbidden.add(right);
    return this;
  }

  /** As of an operator that has no such kind, as schedulerpools. */
  PlaneApi forget(String plural) {
    unknown.add(plural);
    return this;
  }

  /**
   * Answers 503 to as many requests that need a right, as "get controlplanetasks", about the
   * created task.
   */
  PlaneApi failing(String right, int times) {
    failing.put(right, times);
    return this;
  }

  /** Statuses of a task that is created, a next one at each look; the last one stays. */
  PlaneApi becoming(String... all) throws IOException {
    for (String each : all) {
      statuses.add(new YAMLMapper().readTree(each));
    }
    return this;
  }

  /** A document of OpenAPI about the kinds, as YAML. */
  PlaneApi describing(String yaml) throws IOException {
    schemas = new YAMLMapper().readTree(yaml).toString();
    return this;
  }

  int run(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.add("--kubeconfig=" + kubeconfig);
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Exactl.run(
        new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
  }

  JsonNode document() throws IOException {
    return JSON.readTree(out.toString());
  }

  JsonNode object(String kind, String name) {
    return objects.get(ROOTS.get(kind) + "/" + name);
  }

  /** Writes, as "DELETE nodepools/workers"; deletions that are only tried are TRY. */
  List<String> writes() {
    return requests.stream()
        .filter(each -> !each.startsWith("GET "))
        .map(each -> each.replaceAll(" .*/([a-z]+/[^/]+)$", " $1"))
        .toList();
  }

  List<String> requests() {
    return List.copyOf(requests);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] asked = exchange.getRequestBody().readAllBytes();
    JsonNode given = asked.length == 0 ? JSON.createObjectNode() : JSON.readTree(asked);
    Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
    boolean isTried = given.has("dryRun") || query.containsKey("dryRun");
    requests.add((isTried ? "TRY" : exchange.getRequestMethod()) + " " + path);
    byte[] body;
    int status = 200;
    String right = right(exchange.getRequestMethod(), path);
    if (forbidden.contains(right)) {
      status = 403;
      String[] words = right.split(" ");
      body =
          text(
              "{\"kind\":\"Status\",\"message\":\"%s is forbidden: User \\\"u\\\" cannot %s resource \\\"%s\\\"\"}"
                  .formatted(words[1], words[0], words[1]));
    } else if (!isTried && path.matches(FAILING) && fails(right)) {
      status = 503;
      body = text("{\"kind\":\"Status\",\"message\":\"etcd leader changed\"}");
    } else if (path.endsWith("/log")) {
      String pod = path.replaceAll(".*/pods/|/log$", "");
      String key = pod + "/" + query.get("container") + "/" + query.containsKey("previous");
      if (endless.contains(key)) {
        writeForEver(exchange);
        return;
      }
      String log = logs.get(key);
      status = log == null ? 400 : 200;
      body = text(log == null ? "{\"message\":\"container has no log\"}" : log);
    } else if (path.startsWith("/openapi/") && !schemas.isEmpty()) {
      body = text(schemas);
    } else if (exchange.getRequestMethod().equals("POST") && given.has("metadata")) {
      status = 201;
      body = created(path, (ObjectNode) given, isTried);
    } else if (path.equals("/version")) {
      body = text("{\"gitVersion\":\"v1.37.2\"}");
    } else if (exchange.getRequestMethod().equals("DELETE")
        && objects.containsKey(path)
        && !objects.get(path).at("/metadata/uid").equals(given.at("/preconditions/uid"))) {
      status = 409;
      body = text("{\"kind\":\"Status\",\"message\":\"Precondition failed: UID\"}");
    } else if (objects.containsKey(path)) {
      body = one(exchange.getRequestMethod(), path, given);
    } else if (isObject(path) || unknown.contains(path.replaceAll(".*/", ""))) {
      status = 404;
      body = text("{\"kind\":\"Status\",\"message\":\"not found\"}");
    } else {
      body = text(list(path, query.getOrDefault("labelSelector", "")));
    }
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static void writeForEver(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    while (true) {
      exchange.getResponseBody().write(text("2026-11-28T07:00:01Z again\n"));
      exchange.getResponseBody().flush();
    }
  }

  private boolean fails(String right) {
    Integer left = failing.computeIfPresent(right, (key, times) -> times - 1);
    return left != null && left >= 0;
  }

  private byte[] created(String path, ObjectNode given, boolean isTried) {
    ObjectNode metadata = (ObjectNode) given.path("metadata");
    metadata.put("name", metadata.path("generateName").asText() + "x7").put("uid", "new");
    metadata.put("namespace", "ns");
    if (!isTried) {
      objects.put(path + "/" + metadata.path("name").asText(), given);
    }
    return text(given.toString());
  }

  private byte[] one(String method, String path, JsonNode given) {
    JsonNode object = objects.get(path);
    if (object.at("/metadata/uid").asText().equals("new") && !statuses.isEmpty()) {
      JsonNode next = statuses.size() > 1 ? statuses.removeFirst() : statuses.getFirst();
      ((ObjectNode) object).set("status", next);
    }
    switch (method) {
      case "DELETE" -> {
        if (!given.has("dryRun")) {
          objects.remove(path);
        }
      }
      case "PATCH" -> merge((ObjectNode) object, given);
      default -> {
        // A read.
      }
    }
    return text(object.toString());
  }

  private static void merge(ObjectNode object, JsonNode patch) {
    patch
        .properties()
        .forEach(
            field -> {
              if (field.getValue().isNull()) {
                object.remove(field.getKey());
              } else if (field.getValue().isObject()) {
                merge(object.withObjectProperty(field.getKey()), field.getValue());
              } else {
                object.set(field.getKey(), field.getValue());
              }
            });
  }

  private static boolean isObject(String path) {
    return path.matches(".*/namespaces/[^/]+/[^/]+/[^/]+");
  }

  private static String right(String method, String path) {
    String verb =
        method.equals("POST")
            ? "create"
            : method.equals("GET") ? isObject(path) ? "get" : "list" : method.toLowerCase();
    if (path.endsWith("/log")) {
      return "get pods/log";
    }
    String[] parts = path.split("/");
    String resource = isObject(path) ? parts[parts.length - 2] : parts[parts.length - 1];
    return verb + " " + (path.contains("metrics.k8s.io") ? "pods.metrics" : resource);
  }

  private String list(String path, String selector) {
    List<String> found =
        objects.entrySet().stream()
            .filter(
                each -> {
                  String parent = each.getKey().replaceAll("/[^/]+$", "");
                  return parent.equals(path)
                      || parent.replaceAll("/namespaces/[^/]+", "").equals(path);
                })
            .map(Map.Entry::getValue)
            .filter(each -> isSelected(each, selector))
            .map(JsonNode::toString)
            .toList();
    return "{\"kind\":\"List\",\"metadata\":{},\"items\":[" + String.join(",", found) + "]}";
  }

  private static boolean isSelected(JsonNode object, String selector) {
    for (String each : selector.isEmpty() ? new String[0] : selector.split(",")) {
      String[] label = each.split("=");
      if (!object.path("metadata").path("labels").path(label[0]).asText().equals(label[1])) {
        return false;
      }
    }
    return true;
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> query = new TreeMap<>();
    for (String each : raw == null ? new String[0] : raw.split("&")) {
      String[] pair = each.split("=", 2);
      query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
    }
    return query;
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
