// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.load.TestApi;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the deletion of loads does on a server that refuses, forgets, or keeps objects. */
class BenchLoadRemovalTest {
  private static final String NODE = "exaplane-bench-r1-000000";
  private static final String NODES = "/api/v1/nodes";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/leases";
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  private static final TestApi.Reply DONE = TestApi.Reply.json(200, "{\"kind\":\"Status\"}");
  private static final TestApi.Reply FORBIDDEN =
      TestApi.Reply.json(403, "{\"message\":\"not you\"}");

  @TempDir private Path folder;
  private TestApi server;

  /** By the path of a collection, the metadata of its objects by name. */
  private final Map<String, Map<String, String>> objects = new ConcurrentHashMap<>();

  /** Takes requests before the store of objects does; null lets them pass. */
  private Function<TestApi.Request, TestApi.Reply> first = request -> null;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start() throws InterruptedException {
    server = new TestApi(100, this::answer);
    put(NODES, NODE, "");
    put(LEASES, "exaplane-bench-r1-000009", "");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void put(String collection, String name, String more) {
    objects
        .computeIfAbsent(collection, each -> new ConcurrentHashMap<>())
        .put(
            name,
            "{\"metadata\":{\"namespace\":\"n\",\"name\":\"%s\",\"uid\":\"u\"%s}}"
                .formatted(name, more));
  }

  private TestApi.Reply answer(TestApi.Request request) {
    TestApi.Reply taken = first.apply(request);
    if (taken != null) {
      return taken;
    }
    String path = request.path().replaceAll("\\?.*", "");
    if (request.method().equals("DELETE")) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      objects.values().forEach(names -> names.remove(name));
      return DONE;
    }
    return TestApi.Reply.json(
        200,
        objects.getOrDefault(path, Map.of()).values().stream()
            .collect(Collectors.joining(",", "{\"metadata\":{},\"items\":[", "]}")));
  }

  private int run(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(List.of(words));
    all.add("--yes");
    all.add("--kubeconfig=" + server.kubeconfig(folder));
    return Exactl.run(
        new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
  }

  private List<String> sent(String method) {
    return server.requests().stream()
        .filter(each -> each.method().equals(method))
        .map(TestApi.Request::path)
        .toList();
  }

  private static boolean isDelete(TestApi.Request request, String collection) {
    return request.method().equals("DELETE") && request.path().startsWith(collection + "/");
  }

  /** A finalizer keeps the node: the server accepts each deletion, and the node stays. */
  @Test
  void anObjectThatIsEndingIsDeletedOnceAndHoldsNothingUp() throws Exception {
    first =
        request -> {
          if (isDelete(request, NODES)) {
            put(NODES, NODE, ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"");
            return DONE;
          }
          return null;
        };
    assertThat(run("nodes", "--clean-up", "--timeout=5s")).isEqualTo(Exactl.FAILED);
    assertThat(sent("DELETE")).as("the Lease goes, too").hasSize(2);
    assertThat(sent("GET")).as("there are pauses").hasSizeLessThan(100);
    assertThat(err.toString())
        .contains("1 nodes still exist; run 'exactl bench nodes --clean-up' again")
        .contains("deleted 1 nodes");
  }

  @Test
  void aForbiddenDeletionIsToldAtOnceAndTheOthersGo() throws Exception {
    first = request -> isDelete(request, NODES) ? FORBIDDEN : null;
    assertThat(run("nodes", "--clean-up")).isEqualTo(Exactl.FAILED);
    assertThat(err.toString())
        .contains("delete nodes: status 403: not you; give the account this right")
        .contains("--clean-up", "deleted 1 leases");
  }

  @Test
  void aForbiddenListKeepsNothingElse() throws Exception {
    first = request -> request.path().startsWith(NODES + "?") ? FORBIDDEN : null;
    assertThat(run("nodes", "--clean-up")).isEqualTo(Exactl.FAILED);
    assertThat(err.toString())
        .contains("list nodes: status 403: not you; check the rights", "deleted 1 leases");
  }

  /** Without it, ten minutes of silence would end with 'still exist'. */
  @Test
  void whyNothingIsDeletedIsTold() throws Exception {
    first =
        request ->
            isDelete(request, NODES)
                ? TestApi.Reply.json(500, "{\"message\":\"no quorum\"}")
                : null;
    assertThat(run("nodes", "--clean-up", "--timeout=20s")).isEqualTo(Exactl.FAILED);
    assertThat(err.toString()).contains("1 nodes still exist (status 500: no quorum)");
  }

  @Test
  void anExpiredTokenIsNotTheEnd() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    first =
        request ->
            asked.getAndIncrement() == 0
                ? TestApi.Reply.json(401, "{\"message\":\"Unauthorized\"}")
                : null;
    assertThat(run("nodes", "--clean-up")).as(err.toString()).isZero();
    assertThat(sent("DELETE")).hasSize(2);
  }

  @Test
  void aListThatTheServerForgotBeginsAnew() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    first =
        request -> {
          if (!request.path().startsWith(NODES + "?")) {
            return null;
          }
          return switch (asked.getAndIncrement()) {
            case 0 -> TestApi.Reply.json(200, "{\"metadata\":{\"continue\":\"c\"},\"items\":[]}");
            case 1 -> TestApi.Reply.json(410, "{\"message\":\"too old\"}");
            default -> null;
          };
        };
    assertThat(run("nodes", "--clean-up")).as(err.toString()).isZero();
    assertThat(sent("GET").get(1)).contains("&continue=c");
    assertThat(sent("GET").get(2)).startsWith(NODES).doesNotContain("continue");
    assertThat(sent("DELETE")).hasSize(2);
  }

  @Test
  void onlyTheResourceOfTheLoadIsListed() throws Exception {
    assertThat(run("watches", "--clean-up", "--resource=leases")).isZero();
    assertThat(sent("GET"))
        .anyMatch(each -> each.startsWith(LEASES + "?"))
        .noneMatch(each -> each.matches("/api/v1/(secrets|configmaps)\\?.*"));
  }

  /** Istio, OpenShift and others copy objects into each new namespace. */
  @Test
  void copiesInEveryNamespaceAreNobodys() throws Exception {
    String configMaps = NODES.replace("nodes", "namespaces/%s/configmaps");
    String secrets = NODES.replace("nodes", "namespaces/%s/secrets");
    String created = ",\"creationTimestamp\":\"2026-01-01T00:%s:00Z\"";
    for (String name : List.of("exaplane-bench-a", "exaplane-bench-b")) {
      put("/api/v1/namespaces", name, created.formatted("00"));
      put(configMaps.formatted(name), "istio-ca-root-cert", created.formatted("30"));
      put(secrets.formatted(name), "default-dockercfg-x7k2p", created.formatted("30"));
    }
    put(
        secrets.formatted("exaplane-bench-a"),
        "copied",
        ",\"creationTimestamp\":\"2026-01-01T00:00:59Z\"");
    put(secrets.formatted("exaplane-bench-b"), "app", created.formatted("02"));
    assertThat(run("pods", "--clean-up")).isEqualTo(Exactl.FAILED);
    assertThat(sent("DELETE")).containsExactly("/api/v1/namespaces/exaplane-bench-a");
    assertThat(err.toString()).contains("the namespaces exaplane-bench-b hold objects");
  }

  private static TestApi.Reply review(boolean isAllowed) {
    return TestApi.Reply.json(201, "{\"status\":{\"allowed\":%s}}".formatted(isAllowed));
  }

  @Test
  void whoMayNotDeleteCreatesNothing() throws Exception {
    first =
        request ->
            request.path().equals(REVIEWS) ? review(!request.body().contains("\"delete\"")) : null;
    assertThat(run("leases", "--count=1")).isEqualTo(Exactl.FAILED);
    assertThat(err.toString())
        .contains("the account may not delete leases in namespace kube-node-lease");
    assertThat(sent("POST")).containsOnly(REVIEWS);
  }

  /** Renewals that fail are none, and what was measured is worth more than the deletion. */
  @Test
  void theReportComesAlsoIfTheDeletionFails() throws Exception {
    AtomicInteger created = new AtomicInteger();
    first =
        request -> {
          if (request.path().equals(REVIEWS)) {
            return review(true);
          }
          return switch (request.method()) {
            case "POST" -> {
              created.incrementAndGet();
              yield TestApi.lease(201);
            }
            case "PUT" -> TestApi.Reply.json(500, "{\"message\":\"no quorum\"}");
            case "DELETE" -> FORBIDDEN;
            default -> {
              if (request.path().contains("labelSelector")) {
                yield null;
              }
              yield created.get() == 0 ? TestApi.Reply.json(404, "{}") : TestApi.lease(200);
            }
          };
        };
    int code = run("leases", "--count=1", "--rate=10", "--duration=2s", "--lease-duration=1s");
    assertThat(code).isEqualTo(Exactl.FAILED);
    assertThat(out.toString())
        .contains("Load leases, run ")
        .containsPattern("renewalsPerSecond: 0\\.0\\R")
        .as("the gap that never ended")
        .containsPattern("betweenRenewals +1 ");
    assertThat(err.toString()).contains("delete leases: status 403", "--clean-up");
  }
}
