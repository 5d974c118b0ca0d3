// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.operator.pki.EncryptionConfiguration;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A store, and kube-apiservers that encrypt by steps of a key. One thread. */
final class EncryptedServers implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SECRETS = "/registry/secrets/default/";
  private static final String ENCRYPTED = "k8s:enc:";

  private final HttpClient http = Http.multiplexing();
  private final Path folder;
  private final String address;
  private final List<String> command;
  private final Server store;
  private final List<Server> servers = new CopyOnWriteArrayList<>();

  /** Starts the store. */
  EncryptedServers(Path folder) throws Exception {
    this.folder = folder;
    this.address = "http://127.0.0.1:" + Machine.freePort();
    String pages = "http://127.0.0.1:" + Machine.freePort();
    List<String> words = Machine.storeCommand();
    words.add("--name=encrypted");
    words.add("--data-dir=" + folder.resolve("store"));
    words.add("--listen-client-urls=" + address);
    words.add("--listen-metrics-urls=" + pages);
    // One set of keys for tokens, and one token of the administrator, for all.
    this.command = ApiServerCommand.of(folder, address, 0, List.of());
    this.store =
        Server.start(words, Map.of(), URI.create(pages + "/readyz"), folder.resolve("store.log"));
  }

  /** One kube-apiserver, as the test asks it. */
  final class Api {
    private final int port;
    private final Server server;

    private Api(int port, Server server) {
      this.port = port;
      this.server = server;
    }

    /** The operator's; the caller closes it. */
    KubernetesClient client() {
      return new KubernetesClientBuilder()
          .withConfig(
              new ConfigBuilder(Config.empty())
                  .withMasterUrl("https://127.0.0.1:" + port)
                  .withOauthToken(Http.TOKEN)
                  .withTrustCerts(true)
                  .withDisableHostnameVerification(true)
                  .build())
          .build();
    }

    /** Makes or changes a Secret of the namespace default; it must be taken. */
    void write(String name, String value) throws Exception {
      String object =
          "{\"metadata\":{\"name\":\"%s\"},\"stringData\":{\"a\":\"%s\"}}".formatted(name, value);
      HttpResponse<String> made = ask("POST", "", object);
      if (made.statusCode() == 409) {
        made = ask("PUT", "/" + name, object);
      }
      if (made.statusCode() >= 300) {
        throw new AssertionError(made.body());
      }
    }

    /** The values of all Secrets of the namespace, by their names, as this server reads them. */
    Map<String, String> read() throws Exception {
      Map<String, String> values = new TreeMap<>();
      for (String name : names()) {
        JsonNode secret = JSON.readTree(ask("GET", "/" + name, "").body());
        values.put(
            name,
            new String(
                Base64.getDecoder().decode(secret.at("/data/a").asText()), StandardCharsets.UTF_8));
      }
      return values;
    }

    private HttpResponse<String> ask(String method, String path, String body) throws Exception {
      return http.send(
          HttpRequest.newBuilder(
                  URI.create(
                      "https://127.0.0.1:%d/api/v1/namespaces/default/secrets%s"
                          .formatted(port, path)))
              .header("Authorization", "Bearer " + Http.TOKEN)
              .header("Content-Type", "application/json")
              .method(
                  method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }

    void end() {
      server.close();
    }
  }

  /** Starts two at the same time, each at a step of a key; they are ready when this returns. */
  List<Api> start(Optional<RotatedKey> one, Optional<RotatedKey> other) throws Exception {
    int port = Machine.freePort();
    int next = Machine.freePort();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Api> beside = threads.submit(() -> start(other, next));
      return List.of(start(one, port), beside.get());
    }
  }

  private Api start(Optional<RotatedKey> key, int port) throws Exception {
    List<String> words = new ArrayList<>(command);
    words.removeIf(word -> word.startsWith("--secure-port=") || word.startsWith("--cert-dir="));
    words.add("--cert-dir=" + folder.resolve("apiserver-" + port));
    words.add("--secure-port=" + port);
    if (key.isPresent()) {
      words.add(
          "--encryption-provider-config="
              + Files.writeString(
                  folder.resolve("encryption-%d.yaml".formatted(port)),
                  EncryptionConfiguration.text(key.get())));
    }
    Server server =
        Server.start(
            words,
            Map.of(),
            URI.create("https://127.0.0.1:%d/readyz".formatted(port)),
            folder.resolve("kube-apiserver-%d.log".formatted(port)));
    servers.add(server);
    return new Api(port, server);
  }

  private List<String> names() throws Exception {
    return List.copyOf(stored().keySet());
  }

  /** What encrypts each Secret in the store, as secretbox:v1:key-0123abcd; "" for nothing. */
  Map<String, String> stored() throws Exception {
    String range =
        "{\"key\":\"%s\",\"range_end\":\"%s\"}".formatted(base64(SECRETS), base64(end(SECRETS)));
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(address + "/v3/kv/range"))
                .POST(BodyPublishers.ofString(range))
                .build(),
            BodyHandlers.ofString());
    Map<String, String> keys = new TreeMap<>();
    for (JsonNode pair : JSON.readTree(answer.body()).path("kvs")) {
      String key = text(pair.path("key"));
      String value = text(pair.path("value"));
      int end = value.indexOf(':', value.indexOf(":v1:") + ":v1:".length());
      keys.put(
          key.substring(SECRETS.length()),
          value.startsWith(ENCRYPTED) ? value.substring(ENCRYPTED.length(), end) : "");
    }
    return keys;
  }

  private static String end(String prefix) {
    return prefix.substring(0, prefix.length() - 1)
        + (char) (prefix.charAt(prefix.length() - 1) + 1);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String text(JsonNode encoded) {
    return new String(Base64.getDecoder().decode(encoded.asText()), StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    http.shutdownNow();
    servers.forEach(Server::close);
    store.close();
  }
}
