// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A client as the image's entrypoint sets it up, and more servers than it may stay connected to.
 */
class KeptConnectionsTest {
  private static final int SERVERS = 100;
  private static final int MOST = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** So long that none ends for its age while the test looks. */
  private static final String AGE = "-Djdk.httpclient.keepalive.timeout=3600";

  private final AtomicInteger open = new AtomicInteger();

  @Test
  void connectionsAreKeptToABoundedNumberOfServers() throws Exception {
    try (ServerSocket server = new ServerSocket()) {
      server.bind(new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0));
      Thread.ofVirtual().start(() -> accept(server));
      Process client =
          new ProcessBuilder(command(server.getLocalPort()))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader words = client.inputReader()) {
        assertThat(words.readLine()).isEqualTo("asked");
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (open.get() > MOST && System.nanoTime() < deadline) {
          LockSupport.parkNanos(1_000_000);
        }
        assertThat(open.get()).isPositive().isLessThanOrEqualTo(MOST);
      } finally {
        client.destroyForcibly();
      }
    }
  }

  private static List<String> command(int port) throws IOException {
    List<String> settings =
        Files.readAllLines(Path.of("src/main/resources/application.properties")).stream()
            .filter(line -> line.startsWith("quarkus.jib.jvm-entrypoint="))
            .flatMap(line -> Stream.of(line.split(",")))
            .filter(word -> word.startsWith("-Djdk."))
            .toList();
    return Stream.of(
            Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), AGE),
            settings.stream(),
            Stream.of(
                "-cp",
                "target/test-classes:target/classes",
                Asker.class.getName(),
                Integer.toString(port)))
        .flatMap(words -> words)
        .toList();
  }

  private void accept(ServerSocket server) {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.incrementAndGet();
        Thread.ofVirtual().start(() -> answer(socket));
      } catch (IOException e) {
        // The test has ended.
      }
    }
  }

  private void answer(Socket socket) {
    try (socket;
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.isEmpty()) {
          socket
              .getOutputStream()
              .write(
                  "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                      .getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException e) {
      // It is closed either way.
    } finally {
      open.decrementAndGet();
    }
  }

  /** Asks one server after the other, and then waits to be ended. */
  static final class Asker {
    private Asker() {}

    public static void main(String[] words) throws Exception {
      HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
      for (int server = 1; server <= SERVERS; server++) {
        URI page = URI.create("http://127.0.0." + server + ":" + words[0] + "/metrics");
        if (BoundedGet.of(http, page, PATIENCE, 100).statusCode() != 200) {
          throw new IOException("no answer at " + page);
        }
      }
      System.out.println("asked");
      Thread.currentThread().join();
    }
  }
}
