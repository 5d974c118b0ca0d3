// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.apply.server.ServerPort;
import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A store and a kube-apiserver, which may be started again. Any thread, but for the restart. */
final class Cluster implements AutoCloseable {
  static final String ADMIN = "";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;
  private final int port;
  private final List<String> command;
  private final HttpClient http = Http.multiplexing();
  private final Server store;
  private Server server;

  private Cluster(Path folder, int port, List<String> command, Server store) throws Exception {
    this.folder = folder;
    this.port = port;
    this.command = command;
    this.store = store;
    start();
  }

  /** Starts both; their files and logs go into the folder. */
  static Cluster in(Path folder) throws Exception {
    int port = Machine.freePort();
    String address = "http://127.0.0.1:" + Machine.freePort();
    String pages = "http://127.0.0.1:" + Machine.freePort();
    List<String> words = Machine.storeCommand();
    words.add("--name=apply");
    words.add("--data-dir=" + folder.resolve("store"));
    words.add("--listen-client-urls=" + address);
    words.add("--listen-metrics-urls=" + pages);
    Server store =
        Server.start(words, Map.of(), URI.create(pages + "/readyz"), folder.resolve("store.log"));
    return new Cluster(folder, port, ApiServerCommand.of(folder, address, port, List.of()), store);
  }

  private void start() throws Exception {
    server = Server.start(command, Map.of(), uri("/readyz"), folder.resolve("kube-apiserver.log"));
  }

  /** Kills the kube-apiserver and starts it again: its counters and its cache are new. */
  void restart() throws Exception {
    server.close();
    start();
  }

  Path kubeconfig() throws Exception {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        {"apiVersion": "v1", "kind": "Config", "current-context": "c",
         "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:%d", "insecure-skip-tls-verify": true}}],
         "users": [{"name": "c", "user": {"token": "%s"}}], "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]}
        """
            .formatted(port, Http.TOKEN));
  }

  /** A port of its own, for the caller to close. */
  ServerPort port(String user) {
    ConfigBuilder config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("https://127.0.0.1:" + port)
            .withTrustCerts(true)
            .withDisableHostnameVerification(true)
            .withOauthToken(Http.TOKEN);
    if (!user.equals(ADMIN)) {
      config.withImpersonateUsername(user);
    }
    return ServerPort.of(config.build(), "exaplane");
  }

  URI uri(String path) {
    return URI.create("https://127.0.0.1:%d%s".formatted(port, path));
  }

  HttpRequest request(String user, String method, String path, String type, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .header("Authorization", "Bearer " + Http.TOKEN)
            .header("Content-Type", type)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!user.equals(ADMIN)) {
      request.header("Impersonate-User", user);
    }
    return request.build();
  }

  HttpResponse<String> send(HttpRequest request) throws Exception {
    return http.send(request, BodyHandlers.ofString());
  }

  HttpClient http() {
    return http;
  }

  JsonNode get(String path) throws Exception {
    return JSON.readTree(send(request(ADMIN, "GET", path, "application/json", "")).body());
  }

  /** Creates, and fails with the server's words. */
  JsonNode create(String path, String body) throws Exception {
    return done(send(request(ADMIN, "POST", path, "application/json", body)));
  }

  JsonNode change(String path, String body) throws Exception {
    return done(send(request(ADMIN, "PATCH", path, "application/merge-patch+json", body)));
  }

  JsonNode put(String path, String body) throws Exception {
    return done(send(request(ADMIN, "PUT", path, "application/json", body)));
  }

  JsonNode delete(String path) throws Exception {
    return done(send(request(ADMIN, "DELETE", path, "application/json", "")));
  }

  private static JsonNode done(HttpResponse<String> response) throws Exception {
    if (response.statusCode() >= 300) {
      throw new AssertionError(response.request() + ": " + response.body());
    }
    return JSON.readTree(response.body());
  }

  /** The value of a ConfigMap's key {@code a}; empty when there is none. */
  String value(String namespace, String name) throws Exception {
    return get("/api/v1/namespaces/" + namespace + "/configmaps/" + name)
        .path("data")
        .path("a")
        .asText("");
  }

  /** Asks for a ConfigMap with this label for the webhook, which is not kept. */
  HttpResponse<String> tried(String label) throws Exception {
    return send(
        request(
            ADMIN,
            "POST",
            "/api/v1/namespaces/default/configmaps?dryRun=All",
            "application/json",
            "{\"metadata\":{\"name\":\"tried\",\"labels\":{\"webhook\":\"%s\"}}}"
                .formatted(label)));
  }

  /** Whether the server knows already that a user may patch ConfigMaps. */
  boolean mayWriteMaps(String user) throws Exception {
    return create(
            "/apis/authorization.k8s.io/v1/subjectaccessreviews",
            "{\"spec\":{\"user\":\"%s\",\"resourceAttributes\":{\"namespace\":\"default\",\"verb\":\"patch\",\"resource\":\"configmaps\"}}}"
                .formatted(user))
        .at("/status/allowed")
        .asBoolean();
  }

  /** Server-side applies of ConfigMaps since the server started. */
  double applies() throws Exception {
    return send(request(ADMIN, "GET", "/metrics", "application/json", ""))
        .body()
        .lines()
        .filter(line -> line.startsWith("apiserver_request_total{"))
        .filter(line -> line.contains("resource=\"configmaps\"") && line.contains("verb=\"APPLY\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Override
  public void close() {
    http.shutdownNow();
    server.close();
    store.close();
  }
}
