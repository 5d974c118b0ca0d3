// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Writes all objects of some resources again as they are, one after the other: kube-apiserver takes
 * a patch without a change as a write if the stored value is not of the key with which it writes
 * now. Only names are read, never contents. Used by one thread at a time.
 */
public final class RewriteRun {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PAGE = 250;
  private static final int MOST_WORDS = 300;
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final String METADATA =
      "application/json;as=PartialObjectMetadata%s;g=meta.k8s.io;v=v1";

  private final List<String> resources;
  private final Deque<URI> places = new ArrayDeque<>();
  private final Deque<Item> page = new ArrayDeque<>();
  private int next;
  private String token = "";
  private long written;
  private long left;
  private int refused;
  private String trouble = "";
  private volatile boolean done;
  private volatile String progress;

  private record Item(String namespace, String name, String uid) {}

  private record Answer(int code, JsonNode body) {
    String words() {
      String text = body.path("message").asText();
      return code + " " + text.substring(0, Math.min(text.length(), MOST_WORDS));
    }
  }

  /** Of resources as kube-apiserver names them; nothing is read or written yet. */
  public RewriteRun(List<String> resources) {
    this.resources = List.copyOf(resources);
    tell();
  }

  /** Whether all objects are written. Any thread. */
  public boolean isDone() {
    return done;
  }

  /** How far it is, for people. Any thread. */
  public String progress() {
    return progress;
  }

  private void tell() {
    String resource = resources.get(Math.min(next, resources.size() - 1));
    String further = next + 1 < resources.size() ? ", then other resources" : "";
    progress =
        "objects of %s (%d written, about %d to come%s)%s"
            .formatted(
                resource,
                written,
                left + page.size(),
                further,
                trouble.isEmpty() ? "" : ": " + trouble);
  }

  /**
   * Goes on with it for a while. What is refused is tried again from the beginning, where all that
   * is written already costs a read.
   *
   * @param objects how many at most
   * @return false if the API refused something or did not answer: the caller waits before it goes
   *     on
   */
  public boolean batch(KubernetesClient client, int objects, Duration time) {
    boolean goesOn = goOn(client, objects, time);
    tell();
    return goesOn;
  }

  private boolean goOn(KubernetesClient client, int objects, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    try {
      for (int i = 0; i < objects && next < resources.size() && System.nanoTime() < end; i++) {
        if (page.isEmpty() && !fill(client)) {
          continue;
        }
        write(client, page.getFirst());
        page.removeFirst();
        tell();
      }
    } catch (IOException e) {
      trouble = e.getMessage();
      return false;
    }
    if (refused == 0) {
      trouble = "";
    }
    if (next < resources.size()) {
      return true;
    }
    done = refused == 0;
    if (!done) {
      next = 0;
      refused = 0;
      written = 0;
    }
    return done;
  }

  /** The next page; false if there are no objects in it. */
  private boolean fill(KubernetesClient client) throws IOException {
    if (places.isEmpty()) {
      places.addAll(find(client, resources.get(next)));
    }
    if (places.isEmpty()) {
      following();
      return false;
    }
    URI list =
        URI.create(
            "%s?limit=%d%s"
                .formatted(
                    places.getFirst(),
                    PAGE,
                    token.isEmpty()
                        ? ""
                        : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8)));
    Answer answer = ask(client, "GET", list, METADATA.formatted("List"), "");
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      // Another version of the group may have it.
      places.removeFirst();
      if (places.isEmpty()) {
        following();
      }
      return false;
    }
    JsonNode metadata = answer.body().path("metadata");
    token = metadata.path("continue").asText();
    if (answer.code() == HttpURLConnection.HTTP_GONE) {
      // The token has expired; the answer has one that goes on with the objects of now.
      return false;
    }
    if (answer.code() != HttpURLConnection.HTTP_OK) {
      throw new IOException(
          "%s cannot be listed: %s".formatted(resources.get(next), answer.words()));
    }
    answer
        .body()
        .path("items")
        .forEach(
            item ->
                page.add(
                    new Item(
                        item.at("/metadata/namespace").asText(),
                        item.at("/metadata/name").asText(),
                        item.at("/metadata/uid").asText())));
    left = metadata.path("remainingItemCount").asLong();
    if (page.isEmpty()) {
      ended();
    }
    return !page.isEmpty();
  }

  /** After the last page of a resource. */
  private void ended() {
    if (token.isEmpty()) {
      following();
    }
  }

  private void following() {
    places.clear();
    token = "";
    left = 0;
    next++;
  }

  private void write(KubernetesClient client, Item item) throws IOException {
    String place = places.getFirst().toString();
    int slash = place.lastIndexOf('/');
    String resource = place.substring(slash + 1);
    URI object =
        URI.create(
            "%s/%s%s/%s"
                .formatted(
                    place.substring(0, slash),
                    item.namespace().isEmpty() ? "" : "namespaces/" + item.namespace() + "/",
                    resource,
                    URLEncoder.encode(item.name(), StandardCharsets.UTF_8).replace("+", "%20")));
    ObjectNode same = JsonNodeFactory.instance.objectNode();
    same.putObject("metadata").put("uid", item.uid());
    Answer answer = ask(client, "PATCH", object, METADATA.formatted(""), same.toString());
    switch (answer.code()) {
      case HttpURLConnection.HTTP_OK -> written++;
      // Gone, or made again meanwhile: by the new key.
      case HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT -> written++;
      case 400, 403, 405, 413, 422 -> {
        if (refused++ == 0) {
          trouble =
              "the API refuses %s %s: %s"
                  .formatted(
                      resource,
                      item.namespace().isEmpty()
                          ? item.name()
                          : item.namespace() + "/" + item.name(),
                      answer.words());
        }
      }
      default ->
          throw new IOException("%s %s: %s".formatted(resource, item.name(), answer.words()));
    }
    if (page.size() == 1) {
      ended(item);
    }
  }

  /** The last object of a page is still in it. */
  private void ended(Item last) {
    if (token.isEmpty() && page.peekLast() == last) {
      following();
    }
  }

  /** Where a resource is listed, by each version of its group; none if there is no such group. */
  private List<URI> find(KubernetesClient client, String resource) throws IOException {
    String base = client.getMasterUrl().toString();
    String root = base.endsWith("/") ? base : base + "/";
    int dot = resource.indexOf('.');
    if (dot < 0) {
      return List.of(URI.create(root + "api/v1/" + resource));
    }
    String plural = resource.substring(0, dot);
    String group = resource.substring(dot + 1);
    Answer answer = ask(client, "GET", URI.create(root + "apis/" + group), "application/json", "");
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return List.of();
    }
    if (answer.code() != HttpURLConnection.HTTP_OK) {
      throw new IOException("group %s: %s".formatted(group, answer.words()));
    }
    List<URI> found = new ArrayList<>();
    answer
        .body()
        .path("versions")
        .forEach(
            version ->
                found.add(
                    URI.create(
                        "%sapis/%s/%s"
                            .formatted(root, version.path("groupVersion").asText(), plural))));
    return found;
  }

  /** An unknown group is told in plain text. */
  private static JsonNode tree(String body) {
    try {
      return JSON.readTree(Optional.ofNullable(body).orElse(""));
    } catch (IOException _) {
      return JsonNodeFactory.instance.objectNode();
    }
  }

  private static Answer ask(
      KubernetesClient client, String method, URI uri, String accept, String body)
      throws IOException {
    HttpClient http = client.getHttpClient();
    HttpRequest.Builder request = http.newHttpRequestBuilder().uri(uri).header("Accept", accept);
    if (!body.isEmpty()) {
      request.method(method, "application/merge-patch+json", body);
    }
    try {
      HttpResponse<String> answer =
          http.sendAsync(request.build(), String.class)
              .get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
      return new Answer(answer.code(), tree(answer.body()));
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the API does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("ended", e);
    }
  }
}
