// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.AnsweringApi.Answer;
import io.exaplane.operator.AnsweringApi.Asked;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An API server in memory: get, list by labels, create, apply, merge and delete. It writes down who
 * wrote what; Events are kept apart. It can refuse all requests with a code. Thread-safe.
 */
public final class MemoryCluster implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final Map<String, ObjectNode> objects = new ConcurrentSkipListMap<>();
  private final List<String> writes = new CopyOnWriteArrayList<>();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final AnsweringApi api;
  private volatile int refusal;
  private volatile int refusalOfWrites;
  private int versions;

  public MemoryCluster() throws IOException {
    api = new AnsweringApi(this::answer);
  }

  public KubernetesClient client() {
    return api.client();
  }

  /** Each write so far that was no Event, as "POST /path". */
  public List<String> writes() {
    return writes;
  }

  /** Each Event so far, as "Normal Reason message". */
  public List<String> events() {
    return events;
  }

  /** From now on every request is answered with this code; zero for none. */
  public void refuse(int code) {
    refusal = code;
  }

  /** The same for writes alone, except for Events. */
  public void refuseWrites(int code) {
    refusalOfWrites = code;
  }

  /** Puts an object there as if it had always been. */
  public void put(String path, HasMetadata object) {
    ObjectNode node =
        JSON.valueToTree(Serialization.unmarshal(Serialization.asJson(object), Map.class));
    objects.put(path, node);
  }

  /** The object at a path; null without one. */
  public <T> T get(String path, Class<T> type) {
    ObjectNode found = objects.get(path);
    return found == null ? null : Serialization.unmarshal(found.toString(), type);
  }

  public void remove(String path) {
    objects.remove(path);
  }

  /** Paths of the objects below one. */
  public List<String> below(String path) {
    return objects.keySet().stream().filter(each -> each.startsWith(path)).toList();
  }

  private synchronized Answer answer(Asked asked) {
    try {
      if (asked.path().endsWith("/events")) {
        JsonNode event = JSON.readTree(asked.body());
        events.add(
            "%s %s %s"
                .formatted(
                    event.path("type").asText(),
                    event.path("reason").asText(),
                    event.path("message").asText()));
        return new Answer(201, asked.body());
      }
      int code = refusal == 0 && !asked.reads() ? refusalOfWrites : refusal;
      return code == 0 ? served(asked) : status(code);
    } catch (IOException e) {
      throw new IllegalStateException(asked.body(), e);
    }
  }

  private Answer served(Asked asked) throws IOException {
    String path = asked.path();
    ObjectNode there = objects.get(path);
    if (!asked.reads()) {
      writes.add(asked.method() + " " + path);
    }
    return switch (asked.method()) {
      case "GET" ->
          isCollection(path)
              ? new Answer(200, list(asked).toString())
              : there == null ? status(404) : new Answer(200, there.toString());
      case "POST" -> {
        ObjectNode object = tree(asked.body());
        String at = path + "/" + object.at("/metadata/name").asText();
        yield objects.containsKey(at) ? status(409) : stored(at, object, 201);
      }
      case "PATCH" -> {
        boolean applies = asked.uri().contains("fieldManager=");
        yield there == null && !applies
            ? status(404)
            : stored(
                path,
                merged(
                    there == null ? JSON.createObjectNode() : there.deepCopy(), tree(asked.body())),
                200);
      }
      case "DELETE" -> {
        if (isCollection(path)) {
          selected(asked).forEach(objects::remove);
          yield status(200);
        }
        objects.remove(path);
        yield there == null ? status(404) : new Answer(200, there.toString());
      }
      default -> status(405);
    };
  }

  /** JSON or YAML, as the client likes. */
  private static ObjectNode tree(String body) {
    return JSON.valueToTree(Serialization.unmarshal(body, Map.class));
  }

  private Answer stored(String path, ObjectNode object, int code) {
    ObjectNode metadata = object.withObject("/metadata");
    if (!metadata.has("uid")) {
      metadata.put("uid", "uid-" + ++versions);
    }
    metadata.put("resourceVersion", Integer.toString(++versions));
    objects.put(path, object);
    return new Answer(code, object.toString());
  }

  private static ObjectNode merged(ObjectNode there, ObjectNode patch) {
    patch
        .properties()
        .forEach(
            field -> {
              if (field.getValue().isNull()) {
                there.remove(field.getKey());
              } else if (field.getValue() instanceof ObjectNode part) {
                JsonNode old = there.path(field.getKey());
                there.set(
                    field.getKey(),
                    merged(old.isObject() ? (ObjectNode) old : JSON.createObjectNode(), part));
              } else {
                there.set(field.getKey(), field.getValue());
              }
            });
    return there;
  }

  /** As /api/v1/namespaces/ns/secrets, and not /api/v1/namespaces/ns/secrets/name. */
  private static boolean isCollection(String path) {
    List<String> parts = new ArrayList<>(Arrays.asList(path.substring(1).split("/")));
    parts.subList(0, parts.getFirst().equals("api") ? 2 : 3).clear();
    if (parts.size() > 2 && parts.getFirst().equals("namespaces")) {
      parts.subList(0, 2).clear();
    }
    return parts.size() == 1;
  }

  private ObjectNode list(Asked asked) {
    ObjectNode list = JSON.createObjectNode().put("kind", "List").put("apiVersion", "v1");
    list.putObject("metadata").put("resourceVersion", "1");
    list.putArray("items");
    selected(asked).forEach(path -> list.withArray("items").add(objects.get(path)));
    return list;
  }

  private List<String> selected(Asked asked) {
    Map<String, String> labels = new TreeMap<>();
    String query =
        asked.uri().contains("?") ? asked.uri().substring(asked.uri().indexOf('?') + 1) : "";
    for (String part : query.split("&")) {
      if (part.startsWith("labelSelector=")) {
        String selector =
            URLDecoder.decode(part.substring("labelSelector=".length()), StandardCharsets.UTF_8);
        for (String label : selector.split(",")) {
          labels.put(label.split("=")[0], label.split("=")[1]);
        }
      }
    }
    return objects.keySet().stream()
        .filter(path -> path.startsWith(asked.path() + "/"))
        .filter(
            path ->
                labels.entrySet().stream()
                    .allMatch(
                        label ->
                            objects
                                .get(path)
                                .at("/metadata/labels")
                                .path(label.getKey())
                                .asText()
                                .equals(label.getValue())))
        .toList();
  }

  private static Answer status(int code) {
    return new Answer(
        code,
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":%d,\"message\":\"answered %d\"}"
            .formatted(code, code));
  }

  @Override
  public void close() {
    api.close();
  }
}
