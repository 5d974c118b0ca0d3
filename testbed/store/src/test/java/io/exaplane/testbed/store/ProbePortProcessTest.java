// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who connects to the pages, or to TLS, and behaves badly takes neither memory nor the turn of a
 * probe: each probe comes by a connection of its own and is answered (7., line 7).
 */
@Timeout(900)
class ProbePortProcessTest {
  private static final int ATTACKERS = 4;

  /** Connections that an attacker keeps open. */
  private static final int KEPT = 400;

  private static final int PROBES = 20;

  /** Looks until each attack was made; a look is a request and takes its time. */
  private static final int MOST_LOOKS = 20_000;

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long MOST_MORE_BYTES = 128L << 20;

  private static ServerProcess store;
  private static int tlsPort;
  private static ServerCertificate certificate;

  /** What an attacker sends on each of its connections. */
  enum Slow {
    NOTHING(false, ""),
    HALF_A_HEADER(false, "GET /readyz HTTP/1.1\r\nHost: a\r\nX-"),
    ENDLESS_HEADERS(false, "GET /readyz HTTP/1.1\r\nHost: a\r\n" + "X: y\r\n".repeat(20_000)),
    LONG_LINE(false, "GET /" + "a".repeat(200_000)),
    GIANT_BODY(
        false,
        "POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n"
            + "b".repeat(200_000)),
    ENDLESS_CHUNKS(
        false,
        "POST /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "1\r\nc\r\n".repeat(40_000)),
    UNREAD_ANSWERS(false, "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".repeat(500)),
    HALF_A_HANDSHAKE(true, "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"),
    NO_HANDSHAKE(true, "");

    private final boolean isTls;
    final String text;

    Slow(boolean isTls, String text) {
      this.isTls = isTls;
      this.text = text;
    }

    /** Whether it is sent to a port in the clear. */
    boolean isClear() {
      return !isTls;
    }

    private void attack(List<Socket> all) {
      Queue<Socket> kept = new ArrayDeque<>();
      byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
      while (!Thread.currentThread().isInterrupted()) {
        try {
          Socket socket =
              new Socket(
                  "127.0.0.1",
                  isTls ? tlsPort : store.port(),
                  InetAddress.getByName("127.0.1." + (1 + ordinal())),
                  0);
          kept.add(socket);
          socket.getOutputStream().write(bytes);
        } catch (IOException e) {
          // The store closed it, as it should.
        }
        if (kept.size() > KEPT) {
          close(kept.poll());
        }
      }
      all.addAll(kept);
    }
  }

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    certificate = ServerCertificate.make(folder);
    tlsPort = Machine.freePort();
    store =
        ServerProcess.storeWithTls(
            folder.resolve("store"),
            tlsPort,
            "--max-connections=600",
            "--cert-file=" + certificate.certificate(),
            "--key-file=" + certificate.key());
    page("/metrics");
  }

  @AfterAll
  static void stop() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource(Slow.class)
  void probesAreAnsweredMeanwhile(Slow slow) throws Exception {
    long before = store.residentBytes();
    List<Thread> attackers = new ArrayList<>();
    List<Socket> left = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < ATTACKERS; i++) {
      attackers.add(Thread.ofPlatform().daemon().start(() -> slow.attack(left)));
    }
    try {
      for (int i = 0; i < PROBES; i++) {
        assertThat(page("/readyz")).isEqualTo("ok\n");
      }
      String metrics = page("/metrics");
      assertThat(value(metrics, "exaplane_store_connections{door=\"probes\"}")).isLessThan(257);
      assertThat(value(metrics, "exaplane_store_connections{door=\"clients\"}")).isLessThan(601);
      assertThat(store.residentBytes() - before).as("more memory").isLessThan(MOST_MORE_BYTES);
    } finally {
      attackers.forEach(Thread::interrupt);
      for (Thread attacker : attackers) {
        attacker.join();
      }
      left.forEach(ProbePortProcessTest::close);
    }
  }

  /** The port of clients is TLS alone: behind the handshake, a client may do what it likes, too. */
  @Test
  void probesAndClientsAreAnsweredWhileOthersAttackByTls() throws Exception {
    long before = store.residentBytes();
    try (TlsAttacks attacks =
            new TlsAttacks(tlsPort, certificate.context(false).getSocketFactory());
        HttpClient good =
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(certificate.context(false))
                .build()) {
      attacks.start();
      HttpRequest ready =
          HttpRequest.newBuilder(URI.create("https://127.0.0.1:%d/readyz".formatted(tlsPort)))
              .timeout(PATIENCE)
              .build();
      for (int i = 0; i < PROBES || !attacks.wereAllMade(); i++) {
        assertThat(page("/readyz")).isEqualTo("ok\n");
        assertThat(good.send(ready, BodyHandlers.ofString()).body()).isEqualTo("ok\n");
        assertThat(i).as("attacks that were made: %s", attacks).isLessThan(MOST_LOOKS);
      }
      String metrics = page("/metrics");
      assertThat(value(metrics, "exaplane_store_connections{door=\"clients\"}")).isLessThan(601);
      assertThat(store.residentBytes() - before).as("more memory").isLessThan(MOST_MORE_BYTES);
    }
  }

  /** Line 16: a port of TLS that asks for no certificate; the clear one is compared with etcd. */
  @Test
  void pagesByTlsWithoutACertificateAreThoseOfAClearPort() throws Exception {
    String clear = "http://" + ServerProcess.shared().target();
    String secure = "https://127.0.0.1:" + tlsPort;
    for (HttpClient.Version version : HttpClient.Version.values()) {
      try (HttpClient client =
          HttpClient.newBuilder().version(version).sslContext(certificate.context(false)).build()) {
        for (String path : PagesProcessTest.PATHS) {
          for (String method : PagesProcessTest.METHODS) {
            for (String encoding : PagesProcessTest.ENCODINGS) {
              PagesProcessTest.Asked asked = new PagesProcessTest.Asked(method, path, encoding);
              assertThat(PagesProcessTest.answer(client, asked, secure))
                  .as("%s by %s", asked, version)
                  .isEqualTo(version + PagesProcessTest.answer(client, asked, clear));
            }
          }
        }
      }
    }
  }

  @Test
  void requestsOfOneConnectionAreAnsweredInTheirOrder() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", store.port())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket
          .getOutputStream()
          .write(
              ("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"
                      + "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                  .getBytes(US_ASCII));
      String all = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      assertThat(all.indexOf("# HELP")).isPositive().isLessThan(all.indexOf("{\"health\""));
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone.
    }
  }

  private static double value(String metrics, String name) {
    Matcher found =
        Pattern.compile("^" + Pattern.quote(name) + " (\\S+)$", Pattern.MULTILINE).matcher(metrics);
    assertThat(found.find()).as(name).isTrue();
    return Double.parseDouble(found.group(1));
  }

  /** By a connection of its own, as kubelet asks. */
  private static String page(String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:%d%s".formatted(store.port(), path)))
                  .timeout(PATIENCE)
                  .build(),
              BodyHandlers.ofString())
          .body();
    }
  }
}
