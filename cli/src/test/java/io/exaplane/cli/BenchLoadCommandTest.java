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
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** 'exactl bench nodes' and its like: what they refuse, and what they must not touch. */
class BenchLoadCommandTest {
  private static final String LEASES = "/apis/coordination.k8s.io/v1/leases";

  @TempDir private Path folder;
  private TestApi server;

  /** By the path of a collection, names that exist with the label of loads. */
  private final Map<String, List<String>> objects = new ConcurrentHashMap<>();

  /** By the path of a collection, names without the label. */
  private final Map<String, List<String>> foreign = new ConcurrentHashMap<>();

  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start() throws InterruptedException {
    server = new TestApi(100, this::answer);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private TestApi.Reply answer(TestApi.Request request) {
    String path = request.path().replaceAll("\\?.*", "");
    if (request.method().equals("DELETE")) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      objects.values().forEach(names -> names.remove(name));
      return TestApi.Reply.json(200, "{\"kind\":\"Status\"}");
    }
    boolean isForeign = request.path().contains("labelSelector=%21");
    return TestApi.Reply.json(
        200,
        (isForeign ? foreign : objects)
            .getOrDefault(path, List.of()).stream()
                .map(
                    name ->
                        "{\"metadata\":{\"namespace\":\"kube-node-lease\",\"name\":\"%s\",\"uid\":\"uid-of-%s\"}}"
                            .formatted(name, name))
                .collect(Collectors.joining(",", "{\"metadata\":{},\"items\":[", "]}")));
  }

  private int run(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(List.of(words));
    all.add("--kubeconfig=" + server.kubeconfig(folder));
    return Exactl.run(
        new PrintWriter(new StringWriter()),
        new PrintWriter(err, true),
        all.toArray(String[]::new));
  }

  private List<String> writes() {
    return server.requests().stream()
        .filter(each -> !each.method().equals("GET"))
        .map(each -> each.method() + " " + each.path())
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nodes   | --count=0                     | count: '0' must lie between 1 and 1,000,000
          nodes   | --rate=0                      | rate: '0.0' must be above 0
          nodes   | --duration=0s                 | duration: '0s' must be a duration above 0
          nodes   | --lease-duration=1500ms       | lease-duration: '1500ms' must be whole seconds
          nodes   | --status-update-frequency=now | status-update-frequency: 'now' must be a duration
          nodes   | --images=-1                   | images: '-1' must lie between 0 and 200
          nodes   | --watches=pod                 | watches: 'pod' names the unknown watch 'pod'
          nodes   | --connections=-1              | connections: '-1' must lie between 0 and 10,000
          nodes   | --timeout=0s                  | timeout: '0s' must be a duration above 0
          nodes   | --context=third               | context: 'third' must be a context of the kubeconfig; choose from: c, other
          leases  | --rate=NaN                    | '--rate': 'NaN' must be a number
          leases  | --rate=5d                     | '--rate': '5d' must be a number
          pods    | --cpu=some                    | cpu: 'some' must be a quantity of Kubernetes; write it as 10m
          pods    | --memory=1ki                  | memory: '1ki' must be a quantity of Kubernetes; write it as 16Mi
          pods    | --memory=1K                   | memory: '1K' must be a quantity of Kubernetes
          pods    | --cpu=-1                      | cpu: '-1' must be a quantity of Kubernetes
          pods    | --padding=1000000             | padding: '1000000' must lie between 0 and 200,000
          pods    | --namespaces=0                | namespaces: '0' must lie between 1 and 10,000
          watches | --resource=nodes              | resource: 'nodes' must be configmaps, secrets or leases
          watches | --bytes=-1                    | bytes: '-1' must lie between 0 and 500,000
          watches | --open-rate=0                 | open-rate: '0.0' must be above 0
          kubelets | --count=1001                 | count: '1001' must lie between 1 and 1,000
          kubelets | --prefix=10.0.0.0/8          | prefix: '10.0.0.0/8' must be an IPv6 prefix with the length /48
          kubelets | --lease-duration=1500ms      | lease-duration: '1500ms' must be whole seconds
          """)
  void badInputIsRefusedByName(String load, String option, String message) throws Exception {
    assertThat(run(load, "--yes", option)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains(message);
    assertThat(server.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nodes", "leases", "pods", "watches", "kubelets"})
  void aClusterThatNobodyNamedGetsNoRequest(String load) throws Exception {
    assertThat(run(load)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(run(load, "--clean-up")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString())
        .contains("yes: 'http://127.0.0.1:", "name the cluster with --context, or set --yes");
    assertThat(server.requests()).isEmpty();
  }

  /** By label and by name, and only if it is still the object that was listed. */
  @Test
  void onlyWhatTheCommandCreatedIsDeleted() throws Exception {
    objects.put(
        "/api/v1/nodes",
        new ArrayList<>(
            List.of("exaplane-bench-r1-000000", "worker-1", "exaplane-bench-r2-000004")));
    objects.put(LEASES, new ArrayList<>(List.of("exaplane-bench-r1-000009")));
    int code = run("nodes", "--context=other", "--clean-up");
    assertThat(code).as(err.toString()).isZero();
    assertThat(writes())
        .containsExactlyInAnyOrder(
            "DELETE /api/v1/nodes/exaplane-bench-r1-000000",
            "DELETE /api/v1/nodes/exaplane-bench-r2-000004",
            "DELETE"
                + " /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/exaplane-bench-r1-000009");
    assertThat(server.requests())
        .filteredOn(each -> each.method().equals("DELETE"))
        .allMatch(
            each ->
                each.body()
                    .contains("\"uid\":\"uid-of-" + each.path().replaceAll(".*/", "") + "\""));
    assertThat(server.requests())
        .filteredOn(each -> each.method().equals("GET"))
        .allMatch(each -> each.path().contains("labelSelector=exaplane.io%2Fbench%3Dnodes"))
        .allMatch(each -> each.headers().get("accept").contains("PartialObjectMetadataList"));
    assertThat(err.toString()).contains("deleted 2 nodes", "deleted 1 leases");
  }

  @Test
  void aNamespaceThatSomebodyUsesStays() throws Exception {
    String used = "exaplane-bench-r1-000000";
    String free = "exaplane-bench-r1-000001";
    objects.put("/api/v1/namespaces", new ArrayList<>(List.of(used, free)));
    foreign.put("/api/v1/namespaces/" + used + "/configmaps", List.of("kube-root-ca.crt", "app"));
    foreign.put("/api/v1/namespaces/" + free + "/configmaps", List.of("kube-root-ca.crt"));
    assertThat(run("pods", "--yes", "--clean-up")).isEqualTo(Exactl.FAILED);
    assertThat(writes()).as(err.toString()).containsExactly("DELETE /api/v1/namespaces/" + free);
    assertThat(err.toString())
        .contains("the namespaces " + used + " hold objects that the command did not create");
  }

  @Test
  void nothingLeftIsSaid() throws Exception {
    assertThat(run("leases", "--yes", "--clean-up")).isZero();
    assertThat(err.toString()).contains("nothing of 'exactl bench leases' is left");
    assertThat(writes()).isEmpty();
  }
}
