// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pages beside gRPC, side by side with etcd: every path by every method through every door, by both
 * versions of HTTP (7., line 16). A status, the headers that say what it is, and the text.
 */
@Timeout(1200)
class PagesProcessTest {
  static final List<String> PATHS =
      List.of(
          "/health",
          "/health?exclude=NOSPACE",
          "/health?serializable=true",
          "/health/",
          "/version",
          "/version/",
          "/metrics",
          "/metrics/",
          "/livez",
          "/livez?verbose",
          "/livez?verbose&exclude=serializable_read",
          "/livez/serializable_read",
          "/livez/linearizable_read",
          "/readyz",
          "/readyz?verbose",
          "/readyz?verbose=x&exclude=data_corruption",
          "/readyz?exclude=nope",
          "/readyz/data_corruption",
          "/readyz/serializable_read",
          "/readyz/linearizable_read",
          "/readyz/non_learner?verbose",
          "/readyz/nope",
          "/readyz/",
          "/",
          "/foo",
          "//health",
          "/a/../health",
          "/%68ealth",
          "/he%2falth",
          "/v2/keys");
  static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "OPTIONS");

  /** What clients say that they take; the empty one says nothing. */
  static final List<String> ENCODINGS = List.of("gzip", "");

  private static final List<String> HEADERS =
      List.of("content-type", "content-encoding", "allow", "location", "x-content-type-options");

  /** Ports of one server. */
  private record Server(int clear, int tls, int pages) {}

  private static final int FRAME_BYTES = 9;

  private static ServerCertificate certificate;
  private static ServerProcess store;
  private static ServerProcess clearStore;
  private static ServerProcess etcd;
  private static Server ours;
  private static Server theirs;
  private static SSLContext trusted;
  private static SSLContext withoutKey;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    certificate = ServerCertificate.make(folder);
    trusted = certificate.context(true);
    withoutKey = certificate.context(false);
    String[] tls = {
      "--cert-file=" + certificate.certificate(),
      "--key-file=" + certificate.key(),
      "--trusted-ca-file=" + certificate.certificate(),
      "--client-cert-auth=true"
    };
    theirs = new Server(0, Machine.freePort(), Machine.freePort());
    etcd = ServerProcess.etcdWithTls(folder.resolve("etcd"), theirs.tls(), theirs.pages(), tls);
    theirs = new Server(etcd.port(), theirs.tls(), theirs.pages());
    int tlsPort = Machine.freePort();
    store = ServerProcess.storeWithTls(folder.resolve("store"), tlsPort, tls);
    clearStore = ServerProcess.shared();
    ours = new Server(clearStore.port(), tlsPort, store.port());
  }

  @AfterAll
  static void stop() {
    store.close();
    etcd.close();
  }

  @Test
  void everyPageIsAnsweredAsEtcdAnswersIt() throws Exception {
    try (HttpClient one = client(Version.HTTP_1_1, trusted);
        HttpClient two = client(Version.HTTP_2, trusted)) {
      for (String path : PATHS) {
        for (String method : METHODS) {
          for (String encoding : ENCODINGS) {
            Asked asked = new Asked(method, path, encoding);
            compare(one, asked, "http://127.0.0.1:", ours.clear(), theirs.clear());
            compare(one, asked, "http://127.0.0.1:", ours.pages(), theirs.pages());
            compare(one, asked, "https://127.0.0.1:", ours.tls(), theirs.tls());
            compare(two, asked, "https://127.0.0.1:", ours.tls(), theirs.tls());
          }
        }
      }
    }
  }

  /** Without TLS, HTTP/2 is for gRPC alone: a browser, or curl, is told so, as etcd does it. */
  @Test
  void byHttp2WithoutTlsPagesAreRefusedAsEtcdRefusesThem() throws Exception {
    for (String method : METHODS) {
      assertThat(clearHttp2(ours.clear(), method))
          .as(method)
          .isEqualTo(clearHttp2(theirs.clear(), method))
          .allSatisfy((path, status) -> assertThat(status).as(path).isEqualTo("415"));
    }
  }

  /** The status of each path, by one connection. */
  private static Map<String, String> clearHttp2(int port, String method) throws Exception {
    Map<String, String> answers = new TreeMap<>();
    Map<Integer, String> asked = new HashMap<>();
    try (RawConnection raw = new RawConnection("127.0.0.1", port, RawConnection.PREFACE_BYTES)) {
      raw.frame(RawConnection.SETTINGS, 0, 0, new byte[0]);
      DataInputStream in = new DataInputStream(raw.in());
      DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
      for (int i = 0; i < PATHS.size(); i++) {
        int stream = 2 * i + 1;
        asked.put(stream, PATHS.get(i));
        raw.page(stream, method, PATHS.get(i));
        while (!answers.containsKey(PATHS.get(i))) {
          byte[] frame = in.readNBytes(FRAME_BYTES);
          assertThat(frame).as("the connection goes on").hasSize(FRAME_BYTES);
          ByteBuffer header = ByteBuffer.wrap(frame);
          byte[] payload = in.readNBytes(header.getInt(0) >>> Byte.SIZE);
          int answered = header.getInt(FRAME_BYTES - Integer.BYTES);
          if (frame[3] == RawConnection.HEADERS) {
            CharSequence status =
                decoder.decodeHeaders(answered, Unpooled.wrappedBuffer(payload)).status();
            if (status != null) { // none in trailers
              answers.put(asked.get(answered), status.toString());
            }
          }
        }
      }
    }
    return answers;
  }

  /** What a client asks a door for. */
  record Asked(String method, String path, String encoding) {}

  private static void compare(HttpClient client, Asked asked, String host, int our, int their)
      throws Exception {
    assertThat(answer(client, asked, host + our))
        .as("%s of %s by %s", asked, host + our, client.version())
        .isEqualTo(answer(client, asked, host + their));
  }

  /** The status, what it is, and the text, of an origin. */
  static String answer(HttpClient client, Asked asked, String origin) throws Exception {
    String url = origin + asked.path();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofMinutes(2))
            .method(asked.method(), BodyPublishers.noBody());
    if (!asked.encoding().isEmpty()) {
      request.header("accept-encoding", asked.encoding());
    }
    HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
    TreeMap<String, String> headers = new TreeMap<>();
    HEADERS.forEach(
        name -> response.headers().firstValue(name).ifPresent(each -> headers.put(name, each)));
    headers.computeIfPresent(
        "content-type", (_, type) -> type.replace("; escaping=underscores", ""));
    String version = url.startsWith("https") ? response.version().toString() : "";
    return "%s %d %s\n%s"
        .formatted(version, response.statusCode(), headers, text(asked.path(), response));
  }

  /** The lines in any order, as Go walks a map; numbers of etcd's version left out. */
  private static String text(String path, HttpResponse<byte[]> response) {
    if (response.headers().firstValue("content-encoding").isPresent()
        || path.equals("/metrics") && response.statusCode() == 200) {
      return response.body().length > 100 ? "a page" : "no page";
    }
    String text = new String(response.body(), StandardCharsets.UTF_8);
    return Arrays.toString(text.replaceAll("3\\.\\d+\\.\\d+", "V").lines().sorted().toArray());
  }

  @Test
  void withoutACertificateNothingIsToldOnTheClientPort() throws Exception {
    for (Version version : Version.values()) {
      try (HttpClient client = client(version, withoutKey)) {
        assertThatThrownBy(
                () ->
                    answer(
                        client,
                        new Asked("GET", "/metrics", "gzip"),
                        "https://127.0.0.1:" + ours.tls()))
            .isInstanceOf(IOException.class);
      }
    }
  }

  /** Line 19: a rotation that went wrong half way. */
  @Test
  void aPairThatDoesNotMatchIsToldAndTheOldOneStaysInForce() throws Exception {
    byte[] key = Files.readAllBytes(certificate.key());
    String other =
        "-----BEGIN PRIVATE KEY-----\n%s-----END PRIVATE KEY-----\n".formatted(otherKey());
    try {
      Files.writeString(certificate.key(), other);
      awaitUnusable(1);
      assertThat(store.log())
          .contains(
              "the changed certificate files are unusable, and the previous ones stay in force")
          .containsPattern("previous ones stay in force: .*" + certificate.key().getFileName());
      try (HttpClient client = client(Version.HTTP_1_1, trusted)) {
        assertThat(
                answer(client, new Asked("GET", "/version", ""), "https://127.0.0.1:" + ours.tls()))
            .as("by a new connection")
            .contains(" 200 ");
      }
    } finally {
      Files.write(certificate.key(), key);
    }
    awaitUnusable(0);
    Await.until(
        Duration.ofMinutes(2),
        "the log says that the files are usable again",
        () ->
            store.log().contains("read the changed certificates from ")
                || store.log().contains("has the certificates in force again"),
        store::log);
  }

  private static String otherKey() throws Exception {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
    keys.initialize(new ECGenParameterSpec("secp256r1"));
    return Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(keys.generateKeyPair().getPrivate().getEncoded())
        + "\n";
  }

  /** The page of metrics looks at the files. */
  private static void awaitUnusable(int value) throws Exception {
    String line = "exaplane_store_tls_files_unusable %d.0".formatted(value);
    try (HttpClient client = client(Version.HTTP_1_1, trusted)) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(ours.pages())))
              .build();
      Await.until(
          Duration.ofMinutes(2),
          line,
          () -> client.send(request, BodyHandlers.ofString()).body().contains(line),
          () -> client.send(request, BodyHandlers.ofString()).body());
    }
  }

  /** Line 23: what an etcd that runs shows, the store shows, or its table says why not. */
  @Test
  void eachMetricOfAnEtcdThatRunsIsServedOrALineSaysWhyNot() throws Exception {
    String without = Files.readString(Path.of("../../controlplane-store/METRICS.md"));
    try (HttpClient client = client(Version.HTTP_1_1, trusted)) {
      Set<String> etcds = metrics(client, theirs.pages());
      Set<String> missing = new TreeSet<>(etcds);
      // A method is on the page from its first call on.
      KVGrpc.newBlockingStub(clearStore.channel())
          .range(RangeRequest.newBuilder().setKey(ByteString.copyFromUtf8("a")).build());
      missing.removeIf(name -> without.contains("| `%s` |".formatted(name)));
      Await.until(
          Duration.ofMinutes(2),
          "every metric is served, or METRICS.md says why not",
          () -> {
            missing.removeAll(metrics(client, ours.clear()));
            return missing.isEmpty();
          },
          () -> missing);
      assertThat(etcds)
          .hasSizeGreaterThan(80)
          .contains("etcd_server_slow_apply_total", "etcd_mvcc_range_total");
    }
  }

  /** The names of a page's families. */
  private static Set<String> metrics(HttpClient client, int port) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(port))).build();
    return client
        .send(request, BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith("# TYPE "))
        .map(line -> line.split(" ")[2])
        .filter(name -> !name.startsWith("go_") && !name.startsWith("promhttp_"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static HttpClient client(Version version, SSLContext tls) {
    return HttpClient.newBuilder().version(version).sslContext(tls).build();
  }
}
