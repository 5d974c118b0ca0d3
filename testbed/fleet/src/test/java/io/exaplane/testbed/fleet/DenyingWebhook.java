// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An admission webhook that denies all that it is asked about, until it is closed. Thread-safe. */
final class DenyingWebhook implements AutoCloseable {
  /** What it says. */
  static final String WORDS = "not before noon";

  private static final String PASSWORD = "password-of-the-test";
  private static final String ALIAS = "webhook";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpsServer server;
  private final String authority;

  /** Answers when this returns; its key is in a file of the folder. */
  DenyingWebhook(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
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
    server.createContext("/", DenyingWebhook::answer);
    server.start();
  }

  private static KeyStore keys(Path file)
      throws IOException, GeneralSecurityException, InterruptedException {
    Process tool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                // A JVM of half a second: the second compiler would more than double it.
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                ALIAS,
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

  private static String pem(KeyStore keys) throws GeneralSecurityException {
    String body =
        Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(keys.getCertificate(ALIAS).getEncoded());
    return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n".formatted(body);
  }

  /** As {@code clientConfig} of a webhook has it, in YAML's flow form. */
  String clientConfig() {
    return "{url: 'https://127.0.0.1:%d/', caBundle: %s}"
        .formatted(
            server.getAddress().getPort(),
            Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII)));
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Map<?, ?> request = (Map<?, ?>) Serialization.unmarshal(asked, Map.class).get("request");
    byte[] body =
        Serialization.asJson(
                Map.of(
                    "apiVersion",
                    "admission.k8s.io/v1",
                    "kind",
                    "AdmissionReview",
                    "response",
                    Map.of(
                        "uid",
                        request.get("uid"),
                        "allowed",
                        false,
                        "status",
                        Map.of("code", 403, "message", WORDS))))
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
