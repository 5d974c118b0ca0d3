// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.operator.hosted.PeerTls;
import io.exaplane.operator.hosted.ProbeClient;
import io.exaplane.operator.move.MoveCalls.Side;
import io.exaplane.operator.move.MoveState.Phase;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.operator.storeshard.usage.LimitedStore;
import io.exaplane.operator.storeshard.usage.StorePages;
import io.exaplane.operator.wait.PemTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Moves leases that are written all the time between two stores of ours, by the operator's pump.
 */
@Timeout(900)
class MoveProcessTest {
  private static final int LEASES = 5_000;
  private static final MoveKey KEY = new MoveKey("task-1", "/registry/leases/");
  private static final JsonMapper JSON = new JsonMapper();
  private static final CertificateAuthority CA =
      new CertificateAuthority(
          CertificateAuthority.create("store-ca", Clock.systemUTC()), Clock.systemUTC());

  @TempDir Path folder;
  private final List<Process> processes = new ArrayList<>();
  private final StoreMovesClient client = new StoreMovesClient();
  private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
  private HttpClient http;

  @AfterEach
  void end() throws Exception {
    client.close();
    for (Process process : processes) {
      process.destroyForcibly();
      process.waitFor();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /**
   * Starts a store; gives the port of its clients. A port may be taken before the store listens.
   * Then it starts again with others.
   */
  private int start(String name) throws Exception {
    for (int i = 1; ; i++) {
      Path own = Files.createDirectory(folder.resolve(name + "-" + i));
      int port = freePort();
      int pages = freePort();
      Process process = process(name, own, port, pages);
      processes.add(process);
      if (isUp(process, pages)) {
        return port;
      }
      String log = text(own.resolve("log"));
      assertThat(i < 5 && log.contains("in use")).as(log).isTrue();
    }
  }

  private Process process(String name, Path own, int port, int pages) throws IOException {
    KeyAndCertificate server =
        CA.issue(Leaf.server(name, List.of("127.0.0.1"), Duration.ofHours(1)));
    String store = System.getenv("EXA_STORE");
    assertThat(store)
        .as("EXA_STORE; run './exa test --only move-processes', which sets it")
        .isNotBlank();
    List<String> command = new ArrayList<>(List.of(store.trim().split(" +")));
    command.addAll(
        List.of(
            "--name=" + name,
            "--data-dir=" + own.resolve("data"),
            "--listen-client-urls=https://127.0.0.1:" + port,
            "--advertise-client-urls=https://127.0.0.1:" + port,
            "--listen-metrics-urls=http://127.0.0.1:" + pages,
            "--client-cert-auth=true",
            "--client-cert-allowed-cn=" + ControlPlaneNames.STORE_CLIENT,
            "--trusted-ca-file="
                + Files.writeString(own.resolve("ca.crt"), CA.ca().certificatePem()),
            "--cert-file=" + Files.writeString(own.resolve("tls.crt"), server.certificatePem()),
            "--key-file=" + Files.writeString(own.resolve("tls.key"), server.keyPem())));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("ETCD_CLEAR_PAGES", "metrics");
    return builder.redirectErrorStream(true).redirectOutput(own.resolve("log").toFile()).start();
  }

  /** Waits until the store is ready; says false when it ended instead. */
  private static boolean isUp(Process process, int pages) throws InterruptedException {
    URI ready = URI.create("http://127.0.0.1:" + pages + "/readyz");
    try (HttpClient plain = HttpClient.newHttpClient()) {
      while (!isReady(plain, ready)) {
        if (!process.isAlive()) {
          return false;
        }
        LockSupport.parkNanos(10_000_000);
      }
    }
    return true;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static boolean isReady(HttpClient plain, URI page) throws InterruptedException {
    try {
      return plain
              .send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private HttpResponse<String> ask(int port, String method, String body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:%d/v3/kv/%s".formatted(port, method)))
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private boolean put(int port, String key, String value) throws Exception {
    HttpResponse<String> answer;
    try {
      answer =
          ask(
              port,
              "put",
              "{\"key\":\"%s\",\"value\":\"%s\"}".formatted(base64(key), base64(value)));
    } catch (IOException e) {
      // A store ends connections that used what it left; the same is written again.
      return false;
    }
    if (answer.statusCode() == 200) {
      acknowledged.put(key, value);
      return true;
    }
    assertThat(answer.body()).contains("there is no address available");
    return false;
  }

  private static String key(int number) {
    return KEY.prefix() + "kube-node-lease/node-%05d".formatted(number);
  }

  private Side side(String store, int port) {
    PeerTls.Peer peer =
        new PeerTls.Peer(CA.issue(StoreTarget.LEAF), ProbeClient.trust(CA.ca().certificatePem()));
    return new Side(store, client.of(() -> new StoreMovesClient.Target("127.0.0.1", port, peer)));
  }

  /** Renews leases one after the other, wherever they are taken; the first store at first. */
  private void renew(int from, int to, AtomicBoolean ends) throws Exception {
    int port = from;
    for (int i = 0; !ends.get(); i++) {
      String lease = key(i % LEASES);
      String value = "renewal-" + i;
      while (!put(port, lease, value)) {
        port = port == from ? to : from;
      }
    }
  }

  @Test
  void leasesThatAreRenewedMoveAndNoRenewalIsLost() throws Exception {
    int from = start("default");
    int to = start("leases");
    KeyAndCertificate own =
        CA.issue(Leaf.client(ControlPlaneNames.STORE_CLIENT, "", Duration.ofHours(1)));
    http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(
                PemTls.fromText(CA.ca().certificatePem(), own.certificatePem(), own.keyPem()))
            .build();
    for (int i = 0; i < LEASES; i++) {
      while (!put(from, key(i), "first")) {
        LockSupport.parkNanos(10_000_000);
      }
    }
    MoveRun run =
        new MoveRun(
            KEY,
            side("default", from),
            side("leases", to),
            MoveTiming.USUAL,
            new Semaphore(1),
            _ -> true);
    AtomicBoolean ends = new AtomicBoolean();
    List<Throwable> failures = new ArrayList<>();
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    renew(from, to, ends);
                  } catch (Exception | AssertionError e) {
                    failures.add(e);
                  }
                });
    Thread moving = Thread.ofVirtual().start(run);
    while (moving.isAlive() && !run.hasEnded()) {
      run.switchOver();
      LockSupport.parkNanos(1_000_000);
    }
    moving.join();
    int atSwitch = acknowledged.size();
    MoveState state = run.state();
    assertThat(state.phase()).as(state.words()).isEqualTo(Phase.Switched);
    ends.set(true);
    writer.join();
    assertThat(failures).isEmpty();
    assertThat(atSwitch).isEqualTo(LEASES);
    assertThat(all(to)).isEqualTo(acknowledged);
    pagesAreRead("leases", to);
    System.out.printf(
        "moved %d leases under renewals; writes waited for %d ms%n",
        state.keysCopied(), state.pause().toMillis());
  }

  /** As the operator reads a store whose bundle limits what it shows in the clear. */
  private static void pagesAreRead(String store, int port) throws InterruptedException {
    StorePages pages = new StorePages(Clock.systemUTC(), port, 1);
    pages.learn(
        LimitedStore.shard(store),
        List.of(LimitedStore.pod(store)),
        _ -> Optional.of(LimitedStore.ca(CA)));
    for (String page : List.of("/usage?top=100", "/metrics", "/ages?prefix=%s&ms=1000")) {
      assertThat(
              pages.get(
                  "u",
                  "127.0.0.1",
                  page.formatted("/registry/leases/kube-node-lease/"),
                  Duration.ofSeconds(30),
                  4 << 20))
          .as(page)
          .isPresent();
    }
  }

  private Map<String, String> all(int port) throws Exception {
    Map<String, String> all = new ConcurrentHashMap<>();
    JsonNode page =
        JSON.readTree(
            ask(
                    port,
                    "range",
                    "{\"key\":\"%s\",\"range_end\":\"%s\"}"
                        .formatted(base64(KEY.prefix()), base64("/registry/leases0")))
                .body());
    for (JsonNode kv : page.path("kvs")) {
      all.put(decoded(kv.path("key")), decoded(kv.path("value")));
    }
    return all;
  }

  private static String decoded(JsonNode base64) {
    return new String(Base64.getDecoder().decode(base64.asText()), StandardCharsets.UTF_8);
  }
}
