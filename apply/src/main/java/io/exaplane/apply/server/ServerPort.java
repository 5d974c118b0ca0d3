// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.entry.HeldFields;
import io.exaplane.apply.entry.Observe;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.apply.port.ApplyRequest;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.DeleteRequest;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.apply.port.WatchEvent;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A kube-apiserver by HTTP, with the credentials, and the impersonation if any, of a client's
 * configuration. Requests share one connection; watches have others. Any thread, many at once.
 */
public final class ServerPort implements ApiPort {
  /** A server sends a bookmark about once a minute; a connection that is cut sends nothing. */
  private static final long SILENCE_MS = 180_000;

  /** Of an answer, in bytes: some of the largest objects that a server keeps. */
  private static final int MOST_BYTES = 8 << 20;

  /** Of discovery and of figures, which grow with the number of definitions. */
  private static final int MOST_DOCUMENT_BYTES = 32 << 20;

  /** Pages of lists at once: each may be of the full length, in the memory of all engines. */
  private static final int MOST_PAGES = 2;

  private static final int NOT_FOUND = 404;
  private static final String WHOLE = "application/json";
  private static final String META = ";g=meta.k8s.io;v=v1";

  private final String manager;
  private final String url;
  private final Client client;
  private final HttpClient http;
  private final Watchers watchers;
  private final Semaphore pages = new Semaphore(MOST_PAGES);

  private ServerPort(String manager, Supplier<Client> clients) {
    this.manager = manager;
    client = clients.get();
    url = client.url();
    http = client.http();
    watchers = new Watchers(clients);
  }

  /**
   * Makes a port. Nothing is sent yet.
   *
   * @param config where the server is, and who asks it
   * @param manager our name as a field manager, whose fields count as ours
   * @return the port, for the caller to close
   */
  public static ServerPort of(Config config, String manager) {
    Config own =
        new ConfigBuilder(config).withRequestRetryBackoffLimit(0).withRequestTimeout(0).build();
    return new ServerPort(manager, () -> Client.of(own));
  }

  /**
   * The same with clients that share threads with others of the caller's.
   *
   * @param clients makes a client of the server, without time-outs and repetitions of its own; the
   *     port closes all of them
   * @param manager our name as a field manager, whose fields count as ours
   * @return the port, for the caller to close
   */
  public static ServerPort of(Supplier<KubernetesClient> clients, String manager) {
    return new ServerPort(manager, () -> Client.of(clients.get()));
  }

  @Override
  public Discovery discover() throws ApiException, InterruptedException {
    // Both at once: nothing can be decided before the second one.
    Sent core = Sent.by(client, get("/api", DiscoveryReader.ACCEPT), MOST_DOCUMENT_BYTES);
    byte[] groups;
    try {
      groups = document("/apis", DiscoveryReader.ACCEPT);
    } catch (ApiException | InterruptedException e) {
      core.drop();
      throw e;
    }
    DiscoveryReader reader = new DiscoveryReader();
    reader.take(Json.object(core.body(false)));
    reader.take(Json.object(groups));
    return reader.discovery();
  }

  @Override
  public ServerLoad load() throws ApiException, InterruptedException {
    return LoadPage.read(document("/metrics", "text/plain"));
  }

  private byte[] document(String path, String accept) throws ApiException, InterruptedException {
    return Sent.by(client, get(path, accept), MOST_DOCUMENT_BYTES).body(false);
  }

  private HttpRequest get(String path, String accept) {
    return request("GET", path, accept, "", new byte[0]);
  }

  @Override
  public Observed apply(ApplyRequest request) throws ApiException, InterruptedException {
    hold(request);
    ObjectNode answer = patch(request, accept(request.content(), "PartialObjectMetadata"), "");
    return observed(request.type(), answer, request.content(), request.manager());
  }

  /** What was read may have changed before it is written: then the server refuses it. */
  private void hold(ApplyRequest request) throws ApiException, InterruptedException {
    Optional<ObjectNode> live =
        request.ignored().isEmpty() ? Optional.empty() : get(request.type(), request.key());
    if (live.isEmpty()) {
      return;
    }
    Optional<ObjectNode> held = HeldFields.of(live.get(), request.manager(), request.ignored());
    if (held.isPresent()) {
      byte[] body = Json.text(held.get()).getBytes(StandardCharsets.UTF_8);
      String holder = HeldFields.holder(request.manager());
      patch(
          new ApplyRequest(request.type(), request.key(), body, holder, true, Content.METADATA),
          accept(Content.METADATA, "PartialObjectMetadata"),
          "");
    }
  }

  @Override
  public ObjectNode dryRun(ApplyRequest request) throws ApiException, InterruptedException {
    return patch(request, WHOLE, "&dryRun=All");
  }

  private ObjectNode patch(ApplyRequest request, String accept, String more)
      throws ApiException, InterruptedException {
    String path =
        Paths.object(request.type(), request.key())
            + "?fieldManager="
            + Paths.encoded(request.manager())
            + "&force="
            + request.force()
            // A field that the server does not know would vanish, and look like drift.
            + "&fieldValidation=Strict"
            + more;
    byte[] body = AsYaml.of(request.body());
    return Json.object(send("PATCH", path, accept, "application/apply-patch+yaml", body));
  }

  @Override
  public void delete(DeleteRequest request) throws ApiException, InterruptedException {
    ObjectNode options = Json.empty();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.put("propagationPolicy", "Background");
    ObjectNode preconditions = options.putObject("preconditions").put("uid", request.uid());
    if (request.resourceVersion() > 0) {
      preconditions.put("resourceVersion", Long.toString(request.resourceVersion()));
    }
    send(
        "DELETE",
        Paths.object(request.type(), request.key()),
        WHOLE,
        WHOLE,
        Json.text(options).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Optional<ObjectNode> get(ResourceType type, ObjectKey key)
      throws ApiException, InterruptedException {
    try {
      return Optional.of(Json.object(send("GET", Paths.object(type, key), WHOLE, "", new byte[0])));
    } catch (ApiException e) {
      if (e.failure().code() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public ListPage list(ResourceType type, Content content, String selector, int limit, String next)
      throws ApiException, InterruptedException {
    String path =
        Paths.everywhere(type)
            + "?limit="
            + limit
            + (selector.isEmpty() ? "" : "&labelSelector=" + Paths.encoded(selector))
            + (next.isEmpty() ? "" : "&continue=" + Paths.encoded(next));
    pages.acquire();
    try {
      return page(type, content, path);
    } finally {
      pages.release();
    }
  }

  private ListPage page(ResourceType type, Content content, String path)
      throws ApiException, InterruptedException {
    byte[] body = send("GET", path, accept(content, "PartialObjectMetadataList"), "", new byte[0]);
    ObjectNode list = Json.object(body);
    List<Observed> items = new ArrayList<>();
    for (JsonNode item : list.path("items")) {
      items.add(observed(type, item, content, manager));
    }
    JsonNode metadata = list.path("metadata");
    return new ListPage(
        items, version(metadata), metadata.path("continue").asText(""), body.length);
  }

  @Override
  public void watch(
      ResourceType type,
      Content content,
      String selector,
      long resourceVersion,
      Consumer<WatchEvent> sink)
      throws ApiException, InterruptedException {
    String path =
        Paths.everywhere(type)
            + "?watch=true&allowWatchBookmarks=true&resourceVersion="
            + resourceVersion
            + (selector.isEmpty() ? "" : "&labelSelector=" + Paths.encoded(selector));
    Watchers.Connection connection = watchers.take();
    try {
      Client own = connection.client();
      HttpRequest request =
          own.http()
              .newHttpRequestBuilder()
              .uri(url + path)
              .header("Accept", accept(content, "PartialObjectMetadata"))
              .forStreaming()
              .build();
      EventStream stream = new EventStream();
      HttpResponse<AsyncBody> response = Sent.await(Sent.begun(own, request, stream::take), false);
      try {
        stream.begin(response.body());
        if (!HttpResponse.isSuccessful(response.code())) {
          byte[] words = stream.rest(Sent.PATIENCE_MS);
          throw Failures.of(response.code(), words, response.header("Retry-After"));
        }
        events(type, content, stream, sink);
      } finally {
        response.body().cancel();
      }
    } finally {
      watchers.giveBack(connection);
    }
  }

  private void events(
      ResourceType type, Content content, EventStream stream, Consumer<WatchEvent> sink)
      throws ApiException, InterruptedException {
    for (byte[] line = stream.line(SILENCE_MS); line != null; line = stream.line(SILENCE_MS)) {
      if (line.length == 0) {
        continue;
      }
      ObjectNode event = Json.object(line);
      JsonNode object = event.path("object");
      switch (event.path("type").asText("")) {
        case "ADDED", "MODIFIED" ->
            sink.accept(
                new WatchEvent.Changed(observed(type, object, content, manager), line.length));
        case "DELETED" ->
            sink.accept(new WatchEvent.Gone(observed(type, object, content, manager), line.length));
        case "BOOKMARK" -> sink.accept(new WatchEvent.Bookmark(version(object.path("metadata"))));
        case "ERROR" -> throw Failures.of(object, object.path("code").asInt(0), null);
        default ->
            throw Failures.senseless(
                "event of type '"
                    + event.path("type").asText("")
                    + "' is unknown; ask the server's owner");
      }
    }
  }

  private static String accept(Content content, String as) {
    return content == Content.FULL ? WHOLE : WHOLE + ";as=" + as + META;
  }

  private static Observed observed(
      ResourceType type, JsonNode object, Content content, String manager) throws ApiException {
    try {
      return Observe.of(type.gvk(), object, content, manager);
    } catch (IllegalArgumentException e) {
      throw Failures.senseless(e.getMessage());
    }
  }

  private static long version(JsonNode metadata) throws ApiException {
    String version = metadata.path("resourceVersion").asText("");
    if (!version.matches("[0-9]{1,18}")) {
      throw Failures.senseless(
          "metadata.resourceVersion: '" + version + "' must be a number; ask the server's owner");
    }
    return Long.parseLong(version);
  }

  private byte[] send(String method, String path, String accept, String type, byte[] body)
      throws ApiException, InterruptedException {
    return Sent.by(client, request(method, path, accept, type, body), MOST_BYTES)
        .body(body.length > 0);
  }

  private HttpRequest request(String method, String path, String accept, String type, byte[] body) {
    HttpRequest.Builder request =
        http.newHttpRequestBuilder().uri(url + path).header("Accept", accept);
    if (body.length > 0) {
      request.method(method, type, new String(body, StandardCharsets.UTF_8));
    }
    return request.build();
  }

  @Override
  public void close() {
    watchers.close();
    client.end().run();
  }
}
