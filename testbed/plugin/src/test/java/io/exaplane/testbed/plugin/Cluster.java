// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A management cluster without an operator: a real kube-apiserver with our store, and objects. */
final class Cluster implements AutoCloseable {
  static final String NAMESPACE = "default";
  private static final Path ROOT = Path.of("../..");
  private static final String OURS = "/apis/exaplane.io/v1alpha1/namespaces/default/";
  private static final String CORE = "/api/v1/namespaces/default/";
  private static final String METRICS =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
       "metadata": {"name": "pods.metrics.k8s.io", "annotations": {"api-approved.kubernetes.io": "unapproved, of a test"}},
       "spec": {"group": "metrics.k8s.io", "scope": "Namespaced",
        "names": {"kind": "PodMetrics", "plural": "pods", "singular": "podmetrics", "listKind": "PodMetricsList"},
        "versions": [{"name": "v1beta1", "served": true, "storage": true,
         "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}
      """;
  private static final String CONDITION =
      "{\"type\":\"%s\",\"status\":\"False\",\"reason\":\"StoreUnavailable\",\"message\":\"Check"
          + " the store.\",\"lastTransitionTime\":\"2026-11-28T07:00:00Z\"}";

  private final Path folder;
  private final int port;
  private final HttpClient http = Http.multiplexing();
  private final List<Server> servers = new ArrayList<>();
  private final FakeKubelet kubelet;

  /**
   * Starts the cluster and puts the objects in.
   *
   * @param accounts how many users there are besides the administrator
   */
  Cluster(Path folder, int accounts) throws Exception {
    this.folder = folder;
    port = Machine.freePort();
    String store = "http://127.0.0.1:" + Machine.freePort();
    String pages = "http://127.0.0.1:" + Machine.freePort();
    List<String> command = Machine.storeCommand();
    command.add("--name=plugin");
    command.add("--data-dir=" + folder.resolve("store"));
    command.add("--listen-client-urls=" + store);
    command.add("--listen-metrics-urls=" + pages);
    servers.add(
        Server.start(
            command, Map.of(), URI.create(pages + "/readyz"), folder.resolve("store.log")));
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < accounts; i++) {
      lines.add("token-%1$d,user-%1$d,%2$d".formatted(i, i + 10));
    }
    List<String> server = ApiServerCommand.of(folder, store, port, lines);
    server.add("--disable-admission-plugins=ServiceAccount");
    servers.add(
        Server.start(server, Map.of(), uri("/readyz"), folder.resolve("kube-apiserver.log")));
    kubelet = new FakeKubelet(folder);
    definitions();
    fixed();
    reset();
  }

  private void definitions() throws Exception {
    try (Stream<Path> files = Files.list(ROOT.resolve("crds/generated"))) {
      for (Path file : files.toList()) {
        apply(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
                + file.getFileName().toString().replace(".yaml", ""),
            Files.readString(file));
      }
    }
    apply("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/pods.metrics.k8s.io", METRICS);
    for (String path :
        List.of(
            OURS + "controlplanes",
            OURS + "storeshards",
            OURS + "schedulerpools",
            OURS + "nodepools",
            OURS + "controlplanetasks",
            "/apis/metrics.k8s.io/v1beta1/namespaces/default/pods")) {
      Await.until(
          Duration.ofMinutes(2),
          path + " is served",
          () -> ask("GET", path, "application/json", "").statusCode() == 200,
          () -> ask("GET", path, "application/json", "").body());
    }
  }

  /** What no command changes. */
  private void fixed() throws Exception {
    apply(
        "/api/v1/nodes/n1",
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}");
    status(
        "/api/v1/nodes/n1",
        "{\"addresses\":[{\"type\":\"InternalIP\",\"address\":\"127.0.0.1\"}],\"daemonEndpoints\":{\"kubeletEndpoint\":{\"Port\":%d}}}"
            .formatted(kubelet.port()));
    apply(
        CORE + "pods/demo-default-0",
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "demo-default-0",
          "labels": {"exaplane.io/control-plane": "demo", "exaplane.io/store-shard": "demo-default"}},
         "spec": {"nodeName": "n1", "containers": [{"name": "store", "image": "store"}]}}
        """);
    status(
        CORE + "pods/demo-default-0",
        """
        {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}],
         "containerStatuses": [{"name": "store", "image": "store", "imageID": "", "ready": false, "restartCount": 2,
           "state": {"waiting": {"reason": "CrashLoopBackOff"}},
           "lastState": {"terminated": {"exitCode": 65, "finishedAt": "2026-11-28T07:00:00Z", "startedAt": "2026-11-28T06:00:00Z"}}}]}
        """);
    apply(
        CORE + "pods/exaplane-operator-0",
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "exaplane-operator-0", "labels": {"app.kubernetes.io/name": "exaplane-operator"}},
         "spec": {"nodeName": "n1", "containers": [{"name": "operator", "image": "operator"}]}}
        """);
    status(
        CORE + "pods/exaplane-operator-0",
        "{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}");
    apply(
        CORE + "configmaps/demo-tuning",
        """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "demo-tuning"}, "data": {"tuning.yaml":
         "items: [{component: kube-apiserver, kind: flag, name: max-requests-inflight, value: 800, reason: of this test}]"}}
        """);
    for (String secret : List.of("demo-admin-kubeconfig kubeconfig", "workers-node-join join.sh")) {
      String[] words = secret.split(" ");
      apply(
          CORE + "secrets/" + words[0],
          "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"%s\"},\"data\":{\"%s\":\"%s\"}}"
              .formatted(
                  words[0], words[1], Base64.getEncoder().encodeToString(words[1].getBytes())));
    }
  }

  /** What commands change: the control plane and what belongs to it. */
  void reset() throws Exception {
    for (String sample : List.of("controlplane", "schedulerpool", "nodepool", "controlplanetask")) {
      String text = Files.readString(ROOT.resolve("config/samples/" + sample + ".yaml"));
      apply(OURS + sample + "s/" + name(text), text);
    }
    apply(
        OURS + "storeshards/demo-default",
        """
        {"apiVersion": "exaplane.io/v1alpha1", "kind": "StoreShard",
         "metadata": {"name": "demo-default", "labels": {"exaplane.io/control-plane": "demo"}},
         "spec": {"tls": {"secretRef": {"name": "x"}}}}
        """);
    status(
        OURS + "storeshards/demo-default",
        "{\"conditions\":[%s]}".formatted(CONDITION.formatted("Ready")));
    status(
        OURS + "controlplanes/demo",
        "{\"bundle\":\"b1\",\"stores\":{\"items\":[{\"name\":\"default\",\"criticality\":\"Critical\"},{\"name\":\"leases\",\"criticality\":\"Critical\"}]},\"kubeconfigSecretRef\":{\"name\":\"demo-admin-kubeconfig\"},\"conditions\":[%s,%s]}"
            .formatted(CONDITION.formatted("StoresReady"), CONDITION.formatted("Ready")));
    status(OURS + "nodepools/workers", "{\"joinSecretRef\":{\"name\":\"workers-node-join\"}}");
  }

  /** The control plane with a rollout to another bundle, and paused if asked. */
  void change(String spec) throws Exception {
    expect(
        ask(
            "PATCH",
            OURS + "controlplanes/demo",
            "application/merge-patch+json",
            "{\"spec\":" + spec + "}"));
  }

  /** Does what the operator does with a move: each of them has succeeded. */
  void moveAll() throws Exception {
    String tasks = ask("GET", OURS + "controlplanetasks", "application/json", "").body();
    Matcher name = Pattern.compile("\"name\":\"(reshard-[a-z0-9]+)\"").matcher(tasks);
    while (name.find()) {
      status(OURS + "controlplanetasks/" + name.group(1), "{\"state\":\"Succeeded\"}");
    }
  }

  private static String name(String manifest) {
    return manifest.replaceAll("(?s).*\\n  name: (\\S+)\\n.*", "$1");
  }

  /** Gives a user these rights, in the namespace or everywhere. */
  void allow(int user, List<RightsTable.Right> rights, boolean everywhere) throws Exception {
    String kind = everywhere ? "ClusterRole" : "Role";
    String root =
        "/apis/rbac.authorization.k8s.io/v1/" + (everywhere ? "cluster" : "namespaces/default/");
    String rules = String.join(",", rights.stream().map(RightsTable.Right::rule).toList());
    create(
        root + "roles", "{\"metadata\":{\"name\":\"r-%d\"},\"rules\":[%s]}".formatted(user, rules));
    create(
        root + "rolebindings",
        "{\"metadata\":{\"name\":\"r-%1$d\"},\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"%2$s\",\"name\":\"r-%1$d\"},\"subjects\":[{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"User\",\"name\":\"user-%1$d\"}]}"
            .formatted(user, kind));
  }

  /** Waits until a user may do something: the server learns of roles by watches. */
  void awaitRight(int user, RightsTable.Right right) throws Exception {
    String[] parts = right.rule().split("\"");
    String review =
        "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\"user-%d\",\"resourceAttributes\":{\"namespace\":\"default\",\"verb\":\"%s\",\"group\":\"%s\",\"resource\":\"%s\"}}}"
            .formatted(user, parts[3], parts[7], parts[11]);
    Callable<String> answer =
        () ->
            ask(
                    "POST",
                    "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                    "application/json",
                    review)
                .body();
    Await.until(
        Duration.ofMinutes(2),
        "user-" + user + " may " + right,
        () -> answer.call().contains("\"allowed\":true"),
        answer);
  }

  /** The kubeconfig of a user; of the administrator below 0. */
  Path kubeconfig(int user) throws Exception {
    return Files.writeString(
        folder.resolve("kubeconfig-" + user),
        """
        {"apiVersion": "v1", "kind": "Config", "current-context": "c",
         "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:%d", "insecure-skip-tls-verify": true}}],
         "users": [{"name": "c", "user": {"token": "%s"}}], "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]}
        """
            .formatted(port, user < 0 ? Http.TOKEN : "token-" + user));
  }

  boolean exists(String resource, String name) throws Exception {
    return ask("GET", OURS + resource + "/" + name, "application/json", "").statusCode() == 200;
  }

  private void apply(String path, String manifest) throws Exception {
    expect(
        ask(
            "PATCH",
            path + "?fieldManager=t&force=true",
            "application/apply-patch+yaml",
            manifest));
  }

  private void status(String path, String status) throws Exception {
    expect(
        ask(
            "PATCH",
            path + "/status",
            "application/merge-patch+json",
            "{\"status\":" + status + "}"));
  }

  private void create(String path, String object) throws Exception {
    expect(ask("POST", path, "application/json", object));
  }

  private static void expect(HttpResponse<String> answer) {
    assertThat(answer.statusCode())
        .as("%s: %s", answer.request().uri(), answer.body())
        .isBetween(200, 299);
  }

  private URI uri(String path) {
    return URI.create("https://127.0.0.1:%d%s".formatted(port, path));
  }

  private HttpResponse<String> ask(String method, String path, String type, String body)
      throws Exception {
    return http.send(
        HttpRequest.newBuilder(uri(path))
            .header("Authorization", "Bearer " + Http.TOKEN)
            .header("Content-Type", type)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  @Override
  public void close() {
    http.shutdownNow();
    kubelet.close();
    servers.reversed().forEach(Server::close);
  }
}
