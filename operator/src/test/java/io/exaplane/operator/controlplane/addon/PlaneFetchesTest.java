// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.apply.source.Limits;
import io.exaplane.apply.source.Reach;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.addon.AddonReader.Arrived;
import io.exaplane.operator.controlplane.addon.AddonReader.Fetching;
import io.exaplane.operator.controlplane.addon.AddonReader.Missed;
import io.exaplane.operator.controlplane.addon.AddonReader.Outcome;
import io.exaplane.operator.controlplane.addon.AddonReader.Same;
import io.exaplane.operator.metrics.AddonMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fetches of one control plane, from a registry of this machine. */
class PlaneFetchesTest {
  private static final Limits ANY =
      new Limits(1 << 20, 1 << 20, 1 << 20, 10, 9, Duration.ofSeconds(30));
  private static final String TEXT =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: default}\n";

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Map<String, String> secrets = new HashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile String text = TEXT;
  private volatile CountDownLatch stalls = new CountDownLatch(0);
  private HttpServer registry;
  private AnsweringApi management;

  @BeforeEach
  void start() throws Exception {
    registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    registry.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    registry.createContext("/", this::answer);
    registry.start();
    management =
        new AnsweringApi(
            request ->
                secrets.containsKey(request.path())
                    ? new AnsweringApi.Answer(200, secrets.get(request.path()))
                    : new AnsweringApi.Answer(404, "{\"kind\": \"Status\", \"code\": 404}"));
  }

  @AfterEach
  void end() throws Exception {
    stalls.countDown();
    registry.stop(0);
    management.close();
  }

  private static String digest(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Each manifest has one layer, a file; the repository private asks for a login. */
  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String login = exchange.getRequestHeaders().getFirst("Authorization");
    asked.add(exchange.getRequestMethod() + " " + path);
    try {
      if (!stalls.await(30, TimeUnit.SECONDS)) {
        throw new IOException("nobody ended the test");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (path.contains("/private/") && login == null) {
      exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"test\"");
      exchange.sendResponseHeaders(401, -1);
    } else {
      String manifest =
          "{\"layers\":[{\"mediaType\":\"application/yaml\",\"digest\":\"%s\"}]}"
              .formatted("sha256:" + digest(text));
      byte[] body = (path.contains("/blobs/") ? text : manifest).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Docker-Content-Digest", "sha256:" + digest(manifest));
      boolean isHead = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(200, isHead ? -1 : body.length);
      if (!isHead) {
        exchange.getResponseBody().write(body);
      }
    }
    exchange.close();
  }

  private AddonSpec spec(String source) {
    return Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 10, addons: [{name: a, %s}]}".formatted(source))
        .getSpec()
        .addons()
        .getFirst();
  }

  private String host() {
    return "127.0.0.1:" + registry.getAddress().getPort();
  }

  private AddonSpec artifact(String more) {
    return spec("oci: {reference: '%s/shop:v1'%s}".formatted(host(), more));
  }

  private PlaneFetches fetches(Limits limits, long room) {
    ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");
    return new AddonFetches(new AddonMetrics(meters), limits, room)
        .of(new LabelledSecrets(management.client(), controlPlane));
  }

  private static Outcome outcome(PlaneFetches fetches, AddonSpec spec, String previous)
      throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Fetching fetching = fetches.begin(spec, previous, 0, ended::countDown);
    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    return fetching.outcome().orElseThrow();
  }

  /** What is kept of a file: its text or its objects as JSON, whichever is longer. */
  private static long bytes(String file) {
    return Math.max(
        file.length(), AddonContents.within(Map.of("a.yaml", file), 100, Long.MAX_VALUE).bytes());
  }

  private String missed(AddonSpec spec) throws InterruptedException {
    Outcome outcome = outcome(fetches(ANY, 1 << 20), spec, "");
    assertThat(outcome).isInstanceOf(Missed.class);
    return ((Missed) outcome).why().getMessage();
  }

  @Test
  void anArtifactArrivesOnceForEachDigest() throws Exception {
    PlaneFetches fetches = fetches(ANY, 1 << 20);
    Arrived arrived = (Arrived) outcome(fetches, artifact(""), "");
    assertThat(arrived.contents().reading().manifests()).hasSize(1);
    assertThat(arrived.room().bytes()).isEqualTo(bytes(TEXT) + 1024);
    asked.clear();
    assertThat(outcome(fetches, artifact(""), arrived.revision())).isInstanceOf(Same.class);
    assertThat(asked).containsExactly("HEAD /v2/shop/manifests/v1");
    assertThat(meters.find("exaplane.addon.fetches").tag("result", "changed").counter().count())
        .isEqualTo(1);
    assertThat(meters.find("exaplane.addon.fetches").tag("result", "unchanged").counter().count())
        .isEqualTo(1);
  }

  @Test
  void theOperatorAsksNoHostOfItsOwnMachine() throws Exception {
    Limits outside = new Limits(1, 1, 1, 1, 1, Duration.ofSeconds(9), Reach.OUTSIDE);
    Outcome outcome = outcome(fetches(outside, 1), artifact(""), "");
    assertThat(((Missed) outcome).why())
        .hasMessageContaining("127.0.0.1", "this machine")
        .extracting(AddonReader.Unreadable::isPassing)
        .isEqualTo(false);
    assertThat(asked).isEmpty();
  }

  @Test
  void filesThatDoNotFitIntoMemoryAreRefused() throws Exception {
    Outcome outcome = outcome(fetches(ANY, 10), artifact(""), "");
    assertThat(((Missed) outcome).why())
        .hasMessageContaining("the files have %d bytes and 1 objects".formatted(bytes(TEXT)))
        .hasMessageContaining("raise the operator's memory limit");
  }

  @Test
  void objectsCountBesideTheirBytes() throws Exception {
    StringBuilder small = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      small.append("---\n").append(TEXT.replace("name: m", "name: m" + i));
    }
    text = small.toString();
    Limits few = new Limits(1 << 20, 1 << 20, 1 << 20, 10, 4, 9, ANY.time(), Reach.ANY);
    assertThat(((Missed) outcome(fetches(few, 1 << 20), artifact(""), "")).why())
        .hasMessageContaining("more than the 4 objects")
        .hasMessageContaining("split the source");
    long bytes = bytes(text);
    assertThat(((Missed) outcome(fetches(ANY, bytes + 5 * 1024 - 1), artifact(""), "")).why())
        .hasMessageContaining("the files have %d bytes and 5 objects".formatted(bytes));
    assertThat(outcome(fetches(ANY, bytes + 5 * 1024), artifact(""), ""))
        .isInstanceOf(Arrived.class);
  }

  @Test
  void whatAliasesRepeatCounts() throws Exception {
    StringBuilder aliases = new StringBuilder("data: {a: &a ").append("x".repeat(1000));
    for (int i = 0; i < 100; i++) {
      aliases.append(", b%d: *a".formatted(i));
    }
    text = TEXT + aliases.append("}\n");
    assertThat(((Missed) outcome(fetches(ANY, 100_000), artifact(""), "")).why())
        .hasMessageContaining("and 1 objects");
    Arrived arrived = (Arrived) outcome(fetches(ANY, 110_000), artifact(""), "");
    assertThat(arrived.room().bytes()).isGreaterThan(101_000);
  }

  @Test
  void aControlPlaneHasOneFetchUnderWay() throws Exception {
    stalls = new CountDownLatch(1);
    PlaneFetches fetches = fetches(ANY, 1 << 20);
    CountDownLatch ended = new CountDownLatch(2);
    Fetching first = fetches.begin(artifact(""), "", 0, ended::countDown);
    Fetching closed = fetches.begin(artifact(""), "", 0, ended::countDown);
    Fetching last = fetches.begin(artifact(""), "", 0, ended::countDown);
    closed.close();
    assertThat(first.outcome()).isEmpty();
    stalls.countDown();
    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(first.outcome()).isPresent();
    assertThat(last.outcome()).isPresent();
    assertThat(closed.outcome()).isEmpty();
    assertThat(asked).as("two of three").hasSize(4);
  }

  @Test
  void aFetchThatIsClosedTakesNoMemory() throws Exception {
    PlaneFetches fetches = fetches(ANY, bytes(TEXT) + 1024);
    for (int i = 0; i < 3; i++) {
      CountDownLatch ended = new CountDownLatch(1);
      Fetching fetching = fetches.begin(artifact(""), "", 0, ended::countDown);
      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(fetching.outcome().orElseThrow()).isInstanceOf(Arrived.class);
      fetching.close();
    }
  }

  private void secret(String name, String label, Map<String, String> data) {
    StringBuilder fields = new StringBuilder();
    data.forEach(
        (key, text) ->
            fields
                .append(fields.isEmpty() ? "" : ",")
                .append("\"%s\":\"%s\"".formatted(key, encoded(text))));
    secrets.put(
        "/api/v1/namespaces/ns/secrets/" + name,
        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"%s\",\"labels\":{%s}},\"data\":{%s}}"
            .formatted(name, label, fields));
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aLoginIsOfASecretWhoseMakerAllowsTheUse() throws Exception {
    AddonSpec spec =
        spec("oci: {reference: '%s/private/shop:v1', pullSecret: {name: s}}".formatted(host()));
    assertThat(missed(spec))
        .contains("oci.pullSecret s: does not exist in the namespace ns", "docker-registry s");
    String config =
        "{\"auths\":{\"%s\":{\"auth\":\"%s\"}}}".formatted(host(), encoded("user:hunter2"));
    secret("s", "", Map.of(".dockerconfigjson", config));
    assertThat(missed(spec)).contains("exaplane.io/addons-of=demo").doesNotContain("hunter2");
    String label = "\"exaplane.io/addons-of\":\"demo\"";
    secret("s", label, Map.of("other", "x"));
    assertThat(missed(spec)).contains("has no key .dockerconfigjson");
    secret("s", label, Map.of(".dockerconfigjson", config.replace(host(), "ghcr.io")));
    assertThat(missed(spec)).contains("no login for the registry");
    secret("s", label, Map.of(".dockerconfigjson", config));
    assertThat(outcome(fetches(ANY, 1 << 20), spec, "")).isInstanceOf(Arrived.class);
    assertThat(missed(spec("oci: {reference: '%s/private/shop:v1'}".formatted(host()))))
        .contains("not open to callers without a login");
  }

  @Test
  void aTokenOfGitIsOneWord() throws Exception {
    AddonSpec spec = spec("git: {url: 'http://%s/x', secret: {name: s}}".formatted(host()));
    String label = "\"exaplane.io/addons-of\":\"demo\"";
    secret("s", label, Map.of("host", host(), "token", "two words"));
    assertThat(missed(spec))
        .contains("git.secret s: must have the key token")
        .doesNotContain("two");
    secret("s", label, Map.of("host", host(), "username", "u", "password", "hunter2\n"));
    assertThat(missed(spec)).contains("url: ").doesNotContain("git.secret", "hunter2");
  }

  @Test
  void aLoginOfGitGoesToTheHostThatItsSecretNames() throws Exception {
    AddonSpec spec = spec("git: {url: 'http://%s/x', secret: {name: s}}".formatted(host()));
    String label = "\"exaplane.io/addons-of\":\"demo\"";
    secret("s", label, Map.of("token", "hunter2"));
    assertThat(missed(spec))
        .contains(
            "git.secret s: has no key host",
            "'kubectl -n ns patch secret s -p \"stringData: {host: %s}\"'".formatted(host()))
        .doesNotContain("hunter2");
    for (String other : new String[] {"github.com", "127.0.0.1", host() + "0", "127.0.0.1:443"}) {
      secret("s", label, Map.of("host", other, "token", "hunter2"));
      assertThat(missed(spec))
          .contains("git.secret s: its key host must be " + host(), "name another Secret")
          .doesNotContain("hunter2", "github.com");
    }
    assertThat(asked).isEmpty();
    secret("s", label, Map.of("host", "Git.Example.COM:443\n", "token", "two words"));
    for (String url : new String[] {"https://git.example.com/x", "https://GIT.example.com:443/x"}) {
      assertThat(missed(spec("git: {url: '%s', secret: {name: s}}".formatted(url))))
          .contains("must have the key token");
    }
    assertThat(missed(spec("git: {url: 'https://git.example.com:8443/x', secret: {name: s}}")))
        .contains("its key host must be git.example.com:8443");
  }
}
