// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What there is around etcd's gRPC: its JSON gateway, beside etcd itself, its environment, URLs.
 */
class SurroundingsProcessTest {
  /** Texts as the gateway wants them: in base64. */
  private static final String A = base64("sur/a");

  private static final String B = base64("sur/b");
  private static final String END = base64("sur0");

  /** Requests in their order, each with its path, whose answers of ours and etcd's are compared. */
  private static final List<String> REQUESTS =
      List.of(
          "/v3/kv/put {'key':'A','value':'B'}",
          "/v3/kv/put {'key':'A','value':'B','prev_kv':true}",
          "/v3/kv/put {'key':'B','lease':'4711'}",
          "/v3/kv/range {'key':'A'}",
          "/v3/kv/range {'key':'A','rangeEnd':'END','sort_order':'DESCEND','sort_target':'MOD'}",
          "/v3/kv/range {'key':'A','range_end':'END','count_only':true}",
          "/v3/kv/range {'key':'A','range_end':'END','keysOnly':true,'limit':1}",
          "/v3/kv/range {'key':'A','revision':'999999999'}",
          "/v3/kv/range {}",
          "/v3/kv/range {'key':",
          "/v3/kv/range {'key':7}",
          "/v3/kv/put {'key':'A','prev_kv':true,'prevKv':true}",
          "/v3/kv/put {'key':'A','lease':'+1'}",
          "/v3/kv/put {'key':'A','value':'B'}{'key':'A','value':'B'}",
          "/v3/kv/put {'key':'A','value':'B'} and more",
          "/v3/kv/range {'key':'A'}",
          "/v3/kv/range {'key':'YQ='}",
          "/v3/kv/txn {'success':[{'request_put':{'key':'A'},'request_range':{'key':'A'}}]}",
          "/v3/kv/txn {'compare':[{'key':'A','version':'1','lease':'1'}]}",
          "/v3beta/kv/range {'key':'A'}",
          "/v3alpha/kv/range {'key':'A'}",
          "/v3/lease/keepalive ",
          "/v3/lock/unlock {}",
          "/v3/kv/range {'sort_order':'SIDEWAYS'}",
          "/v3/kv/range {'nobody':1,'key':'B'}",
          "/v3/kv/txn {'compare':[{'key':'A','target':'VERSION','version':'2'}],'success':[{'request_range':{'key':'A'}}]}",
          "/v3/kv/txn {'compare':[{'key':'A','target':'VALUE','value':'A'}],'success':[],'failure':[{'request_put':{'key':'B','value':'A'}},{'request_delete_range':{'key':'A','prev_kv':true}}]}",
          "/v3/kv/deleterange {'key':'A','range_end':'END','prev_kv':true}",
          "/v3/kv/deleterange {'key':'A'}",
          "/v3/kv/compaction {'revision':'999999999'}",
          "/v3/lease/grant {'TTL':'600','ID':'4711'}",
          "/v3/lease/grant {'TTL':'600','ID':'4711'}",
          "/v3/kv/put {'key':'B','lease':'4711'}",
          "/v3/lease/timetolive {'ID':'4711','keys':true}",
          "/v3/kv/lease/timetolive {'ID':'4711'}",
          "/v3/lease/leases {}",
          "/v3/lease/keepalive {'ID':'4711'}",
          "/v3/kv/lease/revoke {'ID':'4711'}",
          "/v3/lease/revoke {'ID':'4711'}",
          "/v3/lock/unlock {'key':'B'}",
          "/v3/lock/lock {'name':'A','lease':'99'}",
          "/v3/nowhere {}",
          "/v3/ {}");

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path folder;

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String answer(HttpClient client, String origin, String request) throws Exception {
    int blank = request.indexOf(' ');
    String body =
        request
            .substring(blank + 1)
            .replace('\'', '"')
            .replace("\"A\"", '"' + A + '"')
            .replace("\"B\"", '"' + B + '"')
            .replace("\"END\"", '"' + END + '"');
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create(origin + request.substring(0, blank)))
                .timeout(Duration.ofMinutes(2))
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    return response.statusCode() + " " + compared(response.body());
  }

  /** Without what differs between any two etcds, and the words about what is no JSON. */
  private static String compared(String json) {
    return json.replaceAll("\\s+", "")
        .replaceAll("\"(cluster_id|member_id|raft_term)\":\"\\d+\",?", "")
        .replaceAll(
            "\"message\":\"(proto|invalid|syntax|unexpected|error|duplicate)[^}]*",
            "\"message\":(words)")
        .replaceAll("\"TTL\":\"5\\d\\d\"", "\"TTL\":\"600\"")
        .replaceAll(",}", "}");
  }

  @Test
  void theGatewayAnswersAsEtcdDoes() throws Exception {
    try (ServerProcess etcd = ServerProcess.etcd(folder.resolve("etcd"));
        ServerProcess store = ServerProcess.store(folder.resolve("store"));
        HttpClient client = HttpClient.newHttpClient()) {
      for (String request : REQUESTS) {
        assertThat(answer(client, "http://" + store.target(), request))
            .as(request)
            .isEqualTo(answer(client, "http://" + etcd.target(), request));
      }
      for (String origin : List.of("http://" + etcd.target(), "http://" + store.target())) {
        watches(client, origin);
        watchesThePastOnce(client, origin);
        locks(client, origin);
      }
      for (int valueBytes : List.of(0, 48 << 10, 600 << 10, 1_500_000, 1_600_000, 3_000_000)) {
        String etcds = large(client, "http://" + etcd.target(), valueBytes);
        String stores = large(client, "http://" + store.target(), valueBytes);
        if (valueBytes > 2_200_000) {
          assertThat(stores).as("%d bytes", valueBytes).startsWith("413 body:ithasmorethan");
        } else {
          assertThat(stores).as("a value of %d bytes", valueBytes).isEqualTo(etcds);
        }
      }
      for (String version : List.of("1.0", "1.1")) {
        String etcds = raw(etcd.target(), version);
        assertThat(raw(store.target(), version)).as("HTTP/%s", version).isEqualTo(etcds);
      }
    }
  }

  /** Puts a value of a size, with the header by which curl asks whether a large body is wanted. */
  private static String large(HttpClient client, String origin, int bytes) throws Exception {
    String body =
        "{\"key\":\"%s\",\"value\":\"%s\"}"
            .formatted(base64("sur/large"), Base64.getEncoder().encodeToString(new byte[bytes]));
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create(origin + "/v3/kv/put"))
                .timeout(Duration.ofMinutes(2))
                .expectContinue(true)
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    return response.statusCode()
        + " "
        + compared(response.body()).replaceAll("\"revision\":\"\\d+\"", "\"revision\":\"(any)\"");
  }

  /** What a client of some version of HTTP gets of a Range, to the end of its connection. */
  private static String raw(String target, String version) throws Exception {
    int colon = target.lastIndexOf(':');
    String body = "{\"key\":\"%s\",\"count_only\":true}".formatted(A);
    try (Socket socket =
        new Socket(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)))) {
      socket.setSoTimeout(120_000);
      String request =
          "POST /v3/kv/range HTTP/%s\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(version, body.length(), body);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      String head = answer.substring(0, answer.indexOf("\r\n\r\n"));
      boolean hasChunks = head.toLowerCase(Locale.ROOT).contains("transfer-encoding: chunked");
      String json = compared(answer.substring(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
      if (version.equals("1.0")) {
        assertThat(hasChunks).as("chunks in HTTP/1.0 of %s", target).isFalse();
      }
      return head.substring(8, 12)
          + json.replaceAll("\"(cluster_id|member_id|revision|raft_term)\":\"\\d+\",?", "");
    }
  }

  private static void watches(HttpClient client, String origin) throws Exception {
    HttpResponse<Stream<String>> watch =
        client.send(
            HttpRequest.newBuilder(URI.create(origin + "/v3/watch"))
                .POST(BodyPublishers.ofString("{\"create_request\":{\"key\":\"%s\"}}".formatted(A)))
                .build(),
            BodyHandlers.ofLines());
    assertThat(watch.statusCode()).isEqualTo(200);
    try (Stream<String> lines = watch.body()) {
      CompletableFuture<List<String>> two =
          CompletableFuture.supplyAsync(
              () -> {
                var each = lines.iterator();
                String created = each.next();
                post(client, origin, "/v3/kv/put {'key':'A','value':'B'}");
                return List.of(created, each.next());
              });
      List<String> told = two.get(2, TimeUnit.MINUTES);
      assertThat(told.getFirst()).startsWith("{\"result\":{").contains("\"created\":true");
      assertThat(told.get(1)).contains("\"events\":[{").contains("\"value\":\"" + B + "\"");
    }
  }

  /** From a revision behind a compaction on, whose events come in order, each once. */
  private static void watchesThePastOnce(HttpClient client, String origin) throws Exception {
    String revision = "";
    for (String value : List.of("one", "two", "three")) {
      String put = "/v3/kv/put {'key':'A','value':'%s'}".formatted(base64(value));
      String answer = post(client, origin, put);
      revision =
          value.equals("three") ? revision : answer.replaceAll("\\D+$|.*\"revision\":\"", "");
    }
    post(client, origin, "/v3/kv/compaction {'revision':'%s','physical':true}".formatted(revision));
    String create = "{\"create_request\":{\"key\":\"%s\",\"start_revision\":\"%s\"}}";
    HttpResponse<Stream<String>> watch =
        client.send(
            HttpRequest.newBuilder(URI.create(origin + "/v3/watch"))
                .POST(BodyPublishers.ofString(create.formatted(A, revision)))
                .build(),
            BodyHandlers.ofLines());
    try (Stream<String> lines = watch.body()) {
      CompletableFuture<String> toTheLast =
          CompletableFuture.supplyAsync(
              () -> {
                StringBuilder values = new StringBuilder();
                var each = lines.iterator();
                each.next(); // created
                post(
                    client, origin, "/v3/kv/put {'key':'A','value':'%s'}".formatted(base64("end")));
                while (values.indexOf(base64("end")) < 0) {
                  String line = each.next();
                  assertThat(line).doesNotContain("canceled");
                  Pattern.compile("\"value\":\"([^\"]*)\"")
                      .matcher(line)
                      .results()
                      .forEach(value -> values.append(value.group(1)).append(' '));
                }
                return values.toString().strip();
              });
      assertThat(toTheLast.get(2, TimeUnit.MINUTES))
          .as("values from %s", origin)
          .isEqualTo("%s %s %s".formatted(base64("two"), base64("three"), base64("end")));
    }
  }

  private static String post(HttpClient client, String origin, String request) {
    try {
      return answer(client, origin, request);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The second one waits until the first gives the lock back. */
  private static void locks(HttpClient client, String origin) throws Exception {
    for (String id : List.of("91", "92")) {
      post(client, origin, "/v3/lease/grant {'TTL':'600','ID':'%s'}".formatted(id));
    }
    String first = post(client, origin, "/v3/lock/lock {'name':'A','lease':'91'}");
    String key = base64("sur/a/5b");
    assertThat(first).startsWith("200 ").contains("\"key\":\"" + key + "\"");
    CompletableFuture<String> second =
        CompletableFuture.supplyAsync(
            () -> post(client, origin, "/v3/lock/lock {'name':'A','lease':'92'}"));
    String waiting = base64("sur/a/5c");
    String range = "/v3/kv/range {'key':'%s'}".formatted(waiting);
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!post(client, origin, range).contains(waiting) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(second).isNotDone();
    post(client, origin, "/v3/lock/unlock {'key':'%s'}".formatted(key));
    assertThat(second.get(2, TimeUnit.MINUTES)).contains("\"key\":\"" + waiting + "\"");
    post(client, origin, "/v3/lock/unlock {'key':'%s'}".formatted(waiting));
  }

  @Test
  void allFlagsFromTheEnvironmentWithAndWithoutTlsBesideEachOther() throws Exception {
    ServerCertificate files = ServerCertificate.make(folder);
    int clear = Machine.freePort();
    int secure = Machine.freePort();
    int metrics = Machine.freePort();
    ProcessBuilder builder = new ProcessBuilder(Machine.storeCommand());
    builder
        .environment()
        .putAll(
            java.util.Map.of(
                "ETCD_DATA_DIR", folder.resolve("store").toString(),
                "ETCD_LISTEN_CLIENT_URLS",
                    "http://127.0.0.1:%d, https://127.0.0.1:%d".formatted(clear, secure),
                "ETCD_LISTEN_METRICS_URLS", "https://127.0.0.1:" + metrics,
                "ETCD_CERT_FILE", files.certificate().toString(),
                "ETCD_KEY_FILE", files.key().toString(),
                "ETCD_NO_SUCH_FLAG", "1",
                "NOTIFY_SOCKET", folder.resolve("notify").toString()));
    Path log = folder.resolve("store.log");
    NotifySocket manager = new NotifySocket(folder.resolve("notify"));
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try (manager;
        HttpClient client =
            HttpClient.newBuilder().sslContext(trusting(files.certificate())).build()) {
      for (String origin :
          List.of(
              "https://127.0.0.1:" + metrics,
              "http://127.0.0.1:" + clear,
              "https://127.0.0.1:" + secure)) {
        assertThat(awaitReady(client, origin, process)).as(Files.readString(log)).isEqualTo(200);
      }
      for (HttpClient.Version version : HttpClient.Version.values()) {
        try (HttpClient speaking =
            HttpClient.newBuilder()
                .sslContext(trusting(files.certificate()))
                .version(version)
                .build()) {
          String origin = "https://127.0.0.1:" + secure;
          assertThat(post(speaking, origin, "/v3/kv/put {'key':'A'}"))
              .as("by %s", version)
              .startsWith("200 ")
              .contains("\"revision\":");
          assertThat(post(speaking, origin, "/v3/kv/put {'key':}")).startsWith("400 ");
          watches(speaking, origin);
          assertThat(large(speaking, origin, 1_500_000)).as("by %s", version).startsWith("200 ");
          assertThat(large(speaking, origin, 3_000_000)).as("by %s", version).startsWith("413 ");
        }
      }
      assertThat(post(client, "https://127.0.0.1:" + metrics, "/v3/kv/put {'key':'A'}"))
          .as("not on ports of pages")
          .startsWith("404 ");
      assertThat(Files.readString(log))
          .contains("ETCD_NO_SUCH_FLAG in the environment is not a flag");
      // As to a service manager (sd_notify), once it serves, and when it is asked to end.
      assertThat(manager.next(PATIENCE)).contains("READY=1\n", "STATUS=The store serves.\n");
      process.destroy();
      assertThat(manager.next(PATIENCE)).contains("STOPPING=1\n");
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  private static SSLContext trusting(Path certificate) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(certificate)) {
      trusted.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  private static int awaitReady(HttpClient client, String origin, Process process)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(origin + "/readyz"))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(30)) // a first handshake takes its time
            .build();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (true) {
      try {
        return client.send(request, BodyHandlers.discarding()).statusCode();
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw e;
        }
        Thread.sleep(20);
      }
    }
  }
}
