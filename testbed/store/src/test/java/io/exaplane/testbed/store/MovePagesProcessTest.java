// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Kind moves from one store to another while it is written, by TLS and certificates. */
@Timeout(900)
class MovePagesProcessTest {
  private static final String PODS = "/registry/pods/";
  private static final String ENCODED = "%2Fregistry%2Fpods%2F";
  private static final String AGES = "/ages?prefix=/registry/leases/kube-node-lease/&ms=1000";
  private static final String REFUSED = "there is no address available";
  private static final int KEYS = 4_000;
  private static final int LARGE_BYTES = 1_400_000;
  private static final int WRITERS = 6;
  private static final int WRITES_PER_SECOND = 300;
  private static final long MOST_PAUSE_MS = 60_000;

  private static Certificates certificates;
  private static ServerProcess a;
  private static ServerProcess b;
  private static int portOfA;
  private static int portOfB;
  private static int clearOfA;
  private static int clearOfB;
  private static ManagedChannel toA;
  private static ManagedChannel toB;

  /** What is known to be in the store, by key; each key has one writer. */
  private final Map<String, String> written = new ConcurrentHashMap<>();

  private final AtomicReference<ManagedChannel> route = new AtomicReference<>();
  private final AtomicLong writes = new AtomicLong();
  private final Semaphore done = new Semaphore(0);
  private final AtomicLong refusals = new AtomicLong();
  private final AtomicLong longestMs = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    certificates =
        Certificates.make(folder)
            .client("mover", "CN=operator, O=exaplane:mover")
            .client("apiserver", "CN=kube-apiserver, O=system:masters")
            .client("scheduler", "CN=system:kube-scheduler")
            .server("kubelet", "CN=kube-apiserver, O=system:nodes");
    Files.createDirectories(folder.resolve("a"));
    Files.createDirectories(folder.resolve("b"));
    clearOfA = Machine.freePort();
    clearOfB = Machine.freePort();
    portOfA = Machine.freePort();
    List<String> flagsOfA = new ArrayList<>(List.of(certificates.flags()));
    flagsOfA.add("--clear-pages=metrics");
    flagsOfA.addAll(elsewhere(clearOfA));
    a =
        ServerProcess.storeWithTls(
            folder.resolve("a/store"), portOfA, flagsOfA.toArray(String[]::new));
    portOfB = Machine.freePort();
    List<String> flags = new ArrayList<>(List.of(certificates.flags()));
    flags.add("--client-cert-allowed-cn=kube-apiserver,operator");
    flags.add("--clear-pages=health");
    flags.addAll(elsewhere(clearOfB));
    b =
        ServerProcess.storeWithTls(
            folder.resolve("b/store"), portOfB, flags.toArray(String[]::new));
    toA = channel("apiserver", portOfA);
    toB = channel("apiserver", portOfB);
  }

  @AfterAll
  static void stop() {
    toA.shutdownNow();
    toB.shutdownNow();
    a.close();
    b.close();
  }

  private static ManagedChannel channel(String who, int port) throws Exception {
    return NettyChannelBuilder.forAddress("127.0.0.1", port)
        .sslContext(
            GrpcSslContexts.forClient()
                .trustManager(certificates.ca())
                .keyManager(certificates.key(who), certificates.certificate(who))
                .build())
        .maxInboundMessageSize(Integer.MAX_VALUE)
        .build();
  }

  @Test
  void onlyMoversAskForPagesOfMoves() throws Exception {
    for (HttpClient.Version version : HttpClient.Version.values()) {
      assertThat(answer("apiserver", version, "https", portOfA, "/moves").statusCode())
          .isEqualTo(403);
      assertThat(answer("apiserver", version, "https", portOfA, "/moves/sum?prefix=/a/").body())
          .contains("O=exaplane:mover")
          .hasLineCount(1);
      HttpResponse<String> mine = answer("mover", version, "https", portOfA, "/moves");
      assertThat(mine.statusCode()).as(mine.body()).isEqualTo(200);
      assertThat(mine.version()).isEqualTo(version);
    }
    assertThat(
            answer("mover", HttpClient.Version.HTTP_1_1, "http", a.port(), "/moves").statusCode())
        .as("the ports of metrics have no such page")
        .isEqualTo(404);
  }

  private static HttpResponse<String> answer(
      String who, HttpClient.Version version, String scheme, int port, String path)
      throws Exception {
    try (HttpClient client =
        HttpClient.newBuilder().version(version).sslContext(certificates.context(who)).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("%s://127.0.0.1:%d%s".formatted(scheme, port, path)))
              .build(),
          BodyHandlers.ofString());
    }
  }

  /** The addresses by which another machine would come to this one; none on a machine alone. */
  private static List<String> addresses() throws Exception {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress())
        .map(InetAddress::getHostAddress)
        .limit(1)
        .toList();
  }

  /** Flags for pages in the clear there. */
  private static List<String> elsewhere(int port) throws Exception {
    return addresses().stream()
        .map(each -> "--listen-metrics-urls=http://%s:%d".formatted(each, port))
        .toList();
  }

  @Test
  void otherMachinesSeeInTheClearWhatTheFlagSays() throws Exception {
    List<String> pages = List.of("/readyz", "/livez", "/health", "/metrics", AGES, "/usage");
    for (String page : pages) {
      assertThat(statusInTheClear("127.0.0.1", a.port(), page)).as(page).isEqualTo(200);
      assertThat(statusInTheClear("127.0.0.1", b.port(), page)).as(page).isEqualTo(200);
      for (String address : addresses()) {
        boolean isHealth = pages.indexOf(page) < 3;
        boolean isUsage = page.equals("/usage");
        assertThat(statusInTheClear(address, clearOfA, page))
            .as("metrics: %s", page)
            .isEqualTo(isUsage ? 404 : 200);
        assertThat(statusInTheClear(address, clearOfB, page))
            .as("health: %s", page)
            .isEqualTo(isHealth ? 200 : 404);
      }
      assertThat(
              answer("apiserver", HttpClient.Version.HTTP_1_1, "https", portOfB, page).statusCode())
          .as("with a certificate: %s", page)
          .isEqualTo(200);
    }
  }

  private static int statusInTheClear(String address, int port, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI page = URI.create("http://%s:%d%s".formatted(address, port, path));
      return client
          .send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding())
          .statusCode();
    }
  }

  /** Who has a certificate of the same CA for something else is neither client nor writer. */
  @ParameterizedTest
  @ValueSource(strings = {"scheduler", "kubelet"})
  void anotherRolesCertificateOpensNothingAndIsNamed(String who) throws Exception {
    ManagedChannel channel = channel(who, portOfB);
    try {
      assertThatThrownBy(
              () ->
                  KVGrpc.newBlockingStub(channel)
                      .withDeadlineAfter(120, TimeUnit.SECONDS)
                      .put(PutRequest.newBuilder().setKey(bytes("/intruder/" + who)).build()))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    } finally {
      channel.shutdownNow();
    }
    String subject = certificates.certificate(who).getSubjectX500Principal().getName();
    awaitLog("refused client %s from 127.0.0.1".formatted(subject));
    assertThat(b.log()).doesNotContain("client %s connected".formatted(subject));
    RangeRequest intruders = RangeRequest.newBuilder().setKey(bytes("/intruder/" + who)).build();
    assertThat(KVGrpc.newBlockingStub(toB).range(intruders).getCount()).isZero();
  }

  @Test
  void theLogNamesWhoWrites() throws Exception {
    KVGrpc.newBlockingStub(toB).put(PutRequest.newBuilder().setKey(bytes("/writer")).build());
    String subject = certificates.certificate("apiserver").getSubjectX500Principal().getName();
    awaitLog("client %s from 127.0.0.1 writes: KV/Put".formatted(subject));
  }

  private static void awaitLog(String words) throws Exception {
    Await.until(
        Duration.ofMinutes(2), "the log has: " + words, () -> b.log().contains(words), b::log);
  }

  @Test
  void aKindMovesWhileItIsWritten() throws Exception {
    route.set(toA);
    for (int i = 0; i < KEYS; i++) {
      put("fixed-" + i, "v".repeat(500) + i);
    }
    put("large", "l".repeat(LARGE_BYTES)); // more than a page usually has
    AtomicInteger number = new AtomicInteger();
    try (ScheduledExecutorService writers = Executors.newScheduledThreadPool(WRITERS);
        MovedKind kind = new MovedKind(ENCODED, portOfA, portOfB, certificates.context("mover"))) {
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.scheduleAtFixedRate(
            () -> write(writer, number.incrementAndGet()),
            i * 3L,
            1000L * WRITERS / WRITES_PER_SECOND,
            TimeUnit.MILLISECONDS);
      }
      kind.copy();
      for (int i = 0; i < 10; i++) {
        kind.changes(200);
      }
      route.set(toB);
      long began = System.nanoTime();
      kind.switchOver();
      long pauseMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      done.drainPermits();
      assertThat(done.tryAcquire(WRITES_PER_SECOND, 240, TimeUnit.SECONDS))
          .as("writes go on: %s", failure)
          .isTrue();
      writers.shutdown();
      assertThat(writers.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
      System.out.printf(
          "%d writes, %d refused, the longest took %d ms; %d pages with %d bytes; the switch took %d ms%n",
          writes.get(), refusals.get(), longestMs.get(), kind.pages(), kind.bytes(), pauseMs);
      assertThat(failure.get()).isNull();
      assertThat(pauseMs).isLessThan(MOST_PAUSE_MS);
      assertThat(kind.moves(portOfA)).contains("\"state\":\"Left\"");
      assertThat(kind.moves(portOfB)).contains("\"state\":\"Arrived\"");
      assertThat(list(toB)).isEqualTo(new TreeMap<>(written));
      assertThat(isRefused(toA)).isTrue();
      kind.clear();
    }
    a.kill();
    a.start();
    toA.enterIdle();
    assertThat(isRefused(toA)).as("it left for good").isTrue();
    b.kill();
    b.start();
    toB.enterIdle();
    assertThat(list(toB)).isEqualTo(new TreeMap<>(written));
  }

  /** Each writer has keys of its own, and deletes some. */
  private void write(int writer, int number) {
    try {
      long began = System.nanoTime();
      String key = "w%d-%d".formatted(writer, number % 50);
      if (number % 7 == 0) {
        again(
            channel ->
                KVGrpc.newBlockingStub(channel)
                    .deleteRange(
                        DeleteRangeRequest.newBuilder().setKey(bytes(PODS + key)).build()));
        written.remove(PODS + key);
      } else {
        put(key, Integer.toString(number));
      }
      writes.incrementAndGet();
      done.release();
      longestMs.accumulateAndGet(
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began), Math::max);
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private interface Call {
    void by(ManagedChannel channel);
  }

  /** As etcd's client: a write that is refused with these words is sent again. */
  private void again(Call call) {
    while (true) {
      try {
        call.by(route.get());
        return;
      } catch (StatusRuntimeException e) {
        boolean isRepeated =
            e.getStatus().getCode() == Status.Code.UNAVAILABLE
                && REFUSED.equals(e.getStatus().getDescription());
        if (!isRepeated) {
          throw e;
        }
        refusals.incrementAndGet();
      }
    }
  }

  private void put(String key, String value) {
    again(
        channel ->
            KVGrpc.newBlockingStub(channel)
                .put(
                    PutRequest.newBuilder()
                        .setKey(bytes(PODS + key))
                        .setValue(bytes(value))
                        .build()));
    written.put(PODS + key, value);
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static RangeResponse range(ManagedChannel channel) {
    return KVGrpc.newBlockingStub(channel)
        .withWaitForReady()
        .range(
            RangeRequest.newBuilder()
                .setKey(bytes(PODS))
                .setRangeEnd(bytes("/registry/pods0"))
                .build());
  }

  private static Map<String, String> list(ManagedChannel channel) {
    Map<String, String> all = new TreeMap<>();
    range(channel)
        .getKvsList()
        .forEach(kv -> all.put(kv.getKey().toStringUtf8(), kv.getValue().toStringUtf8()));
    return all;
  }

  private static boolean isRefused(ManagedChannel channel) {
    try {
      range(channel);
      return false;
    } catch (StatusRuntimeException e) {
      return REFUSED.equals(e.getStatus().getDescription());
    }
  }
}
