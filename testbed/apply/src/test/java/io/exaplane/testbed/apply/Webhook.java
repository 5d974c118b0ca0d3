// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * An admission webhook for ConfigMaps: refuses those with label {@code webhook: refuse} and the
 * deletion of those with {@code webhook: keep} while it refuses, writes its own value into those
 * with {@code webhook: change}, and answers for those with {@code webhook: hold} only when they are
 * let go.
 */
final class Webhook implements AutoCloseable {
  static final String WORDS = "not before noon";

  /** What it writes. */
  static final String VALUE = "of the webhook";

  private static final String PASSWORD = "password-of-the-test";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch holding = new CountDownLatch(1);

  /** Names of the objects that it was asked about. */
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private final HttpsServer server;
  private final String authority;
  private volatile boolean refuses = true;

  Webhook(Path folder) throws Exception {
    KeyStore keys = keys(folder.resolve("webhook.p12"));
    authority = pem(keys);
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private static KeyStore keys(Path file) throws Exception {
    Process tool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                // A JVM of half a second: the second compiler would more than double it.
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                "webhook",
                "-keyalg",
                "EC",
                "-dname",
                "CN=webhook",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    if (tool.waitFor() != 0) {
      throw new IOException("keytool ended with " + tool.exitValue());
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  /** As {@code caBundle} has it. */
  private static String pem(KeyStore keys) throws Exception {
    byte[] certificate = keys.getCertificate("webhook").getEncoded();
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate);
    String pem = "-----BEGIN CERTIFICATE-----\n" + lines + "\n-----END CERTIFICATE-----\n";
    return Base64.getEncoder().encodeToString(pem.getBytes());
  }

  /** What makes a kube-apiserver ask. */
  String configuration() {
    return """
        {"metadata": {"name": "noon"}, "webhooks": [{"name": "noon.example.com", "sideEffects": "None",
         "admissionReviewVersions": ["v1"], "timeoutSeconds": 30, "failurePolicy": "Fail",
         "clientConfig": {"url": "https://127.0.0.1:%d/", "caBundle": "%s"},
         "objectSelector": {"matchExpressions": [{"key": "webhook", "operator": "Exists"}]},
         "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"]}]}]}
        """
        .formatted(server.getAddress().getPort(), authority);
  }

  private void answer(HttpExchange exchange) throws IOException {
    JsonNode request = JSON.readTree(exchange.getRequestBody()).path("request");
    String label = request.at("/object/metadata/labels/webhook").asText("");
    asked.add(request.at("/object/metadata/name").asText(""));
    if (label.equals("hold")) {
      held.countDown();
      try {
        holding.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    ObjectNode review = JSON.createObjectNode();
    review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    boolean deletes = request.path("operation").asText().equals("DELETE");
    String old = request.at("/oldObject/metadata/labels/webhook").asText("");
    boolean refused = refuses && (label.equals("refuse") || deletes && old.equals("keep"));
    ObjectNode response = review.putObject("response");
    response.put("uid", request.path("uid").asText()).put("allowed", !refused);
    if (refused) {
      response.putObject("status").put("message", WORDS).put("code", 403);
    }
    if (label.equals("change")) {
      String patch =
          "[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"%s\"}]".formatted(VALUE);
      response.put("patchType", "JSONPatch");
      response.put("patch", Base64.getEncoder().encodeToString(patch.getBytes()));
    }
    byte[] body = JSON.writeValueAsBytes(review);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  void allow() {
    refuses = false;
  }

  /** How often it was asked about objects of a name. */
  long asked(String name) {
    return asked.stream().filter(name::equals).count();
  }

  /** Until it holds a request. */
  boolean isHolding() {
    return held.getCount() == 0;
  }

  void letGo() {
    holding.countDown();
  }

  @Override
  public void close() {
    letGo();
    server.stop(0);
    threads.shutdownNow();
  }
}
