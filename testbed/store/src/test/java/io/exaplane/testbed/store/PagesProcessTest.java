// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
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
  private static final List<String> PATHS =
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
  private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "OPTIONS");
  private static final List<String> HEADERS =
      List.of("content-type", "content-encoding", "allow", "location", "x-content-type-options");

  /** Ports of one server. */
  private record Server(int clear, int tls, int pages) {}

  private static ServerProcess store;
  private static ServerProcess clearStore;
  private static ServerProcess etcd;
  private static Server ours;
  private static Server theirs;
  private static SSLContext trusted;
  private static SSLContext withoutKey;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    ServerCertificate certificate = ServerCertificate.make(folder);
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
          compare(one, method, "http://127.0.0.1:", path, ours.clear(), theirs.clear());
          compare(one, method, "http://127.0.0.1:", path, ours.pages(), theirs.pages());
          compare(one, method, "https://127.0.0.1:", path, ours.tls(), theirs.tls());
          compare(two, method, "https://127.0.0.1:", path, ours.tls(), theirs.tls());
        }
      }
    }
  }

  private static void compare(
      HttpClient client, String method, String host, String path, int our, int their)
      throws Exception {
    assertThat(answer(client, method, host + our + path))
        .as("%s %s by %s", method, host + our + path, client.version())
        .isEqualTo(answer(client, method, host + their + path));
  }

  private static String answer(HttpClient client, String method, String url) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofMinutes(2))
            .method(method, BodyPublishers.noBody())
            .header("accept-encoding", "gzip")
            .build();
    HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
    TreeMap<String, String> headers = new TreeMap<>();
    HEADERS.forEach(
        name -> response.headers().firstValue(name).ifPresent(each -> headers.put(name, each)));
    headers.computeIfPresent(
        "content-type", (_, type) -> type.replace("; escaping=underscores", ""));
    String version = url.startsWith("https") ? response.version().toString() : "";
    return "%s %d %s\n%s".formatted(version, response.statusCode(), headers, text(response));
  }

  /** The lines in any order, as Go walks a map; numbers of etcd's version left out. */
  private static String text(HttpResponse<byte[]> response) {
    if (response.headers().firstValue("content-encoding").isPresent()) {
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
                () -> answer(client, "GET", "https://127.0.0.1:%d/metrics".formatted(ours.tls())))
            .isInstanceOf(IOException.class);
      }
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
