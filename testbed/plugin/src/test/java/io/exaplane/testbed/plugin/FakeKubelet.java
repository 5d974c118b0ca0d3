// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.plugin;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Of a kubelet, the page with logs: each container wrote two lines. */
final class FakeKubelet implements AutoCloseable {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private final HttpsServer server;

  FakeKubelet(Path folder) throws Exception {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls(folder)));
    server.createContext(
        "/containerLogs/",
        exchange -> {
          String container = exchange.getRequestURI().getPath().replaceAll(".*/", "");
          byte[] body =
              "2026-11-28T07:00:00Z I1128 %1$s starts%n2026-11-28T07:00:01Z E1128 %1$s cannot go on%n"
                  .formatted(container)
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static SSLContext tls(Path folder) throws Exception {
    Path store = folder.resolve("kubelet.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                // A JVM of half a second: the second compiler would more than double it.
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=kubelet",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start();
    if (!keytool.waitFor(5, TimeUnit.MINUTES) || keytool.exitValue() != 0) {
      throw new AssertionError("keytool made no certificate");
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
