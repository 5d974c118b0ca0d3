// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.console;

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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A management cluster without nodes, whose kube-apiserver can be restarted. Two people use it. */
final class Management implements AutoCloseable {
  /** May see everything of Exaplane in the namespace team-a. */
  static final String ANNA = "annas-token";

  /** May see nothing. */
  static final String BERT = "berts-token";

  private static final String OPERATOR_TOKEN = "the-operator";
  private static final String ACCOUNT = "system:serviceaccount:exaplane-system:exaplane-operator";
  private static final Path ROOT = Path.of("../..");
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

  private final Path folder;
  private final int port = Machine.freePort();
  private final HttpClient http = Http.multiplexing();
  private final Server store;
  private final List<String> command;
  private Server api;

  Management(Path folder) throws Exception {
    this.folder = folder;
    String url = "http://127.0.0.1:" + Machine.freePort();
    List<String> words = Machine.storeCommand();
    words.addAll(List.of("--durability=memory", "--listen-client-urls=" + url));
    store = Server.start(words, Map.of(), URI.create(url + "/readyz"), folder.resolve("store.log"));
    command =
        ApiServerCommand.of(
            folder,
            url,
            port,
            List.of(
                OPERATOR_TOKEN
                    + ","
                    + ACCOUNT
                    + ",2,\"system:serviceaccounts,system:serviceaccounts:exaplane-system\"",
                ANNA + ",anna,3",
                BERT + ",bert,4"));
    command.add("--disable-admission-plugins=ServiceAccount");
    startApi();
    for (String namespace : List.of("exaplane-system", "team-a", "team-b")) {
      create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(namespace));
    }
    create(
        "/apis/storage.k8s.io/v1/storageclasses",
        """
        {"metadata": {"name": "nobody-provisions", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
         "provisioner": "kubernetes.io/no-provisioner", "volumeBindingMode": "WaitForFirstConsumer"}
        """);
    definitions();
    roles();
    allowAnna();
  }

  private void startApi() throws Exception {
    api = Server.start(command, Map.of(), uri("/readyz"), folder.resolve("kube-apiserver.log"));
  }

  /** As after a crash of the API server. */
  void restartApi() throws Exception {
    api.close();
    startApi();
  }

  private void definitions() throws Exception {
    try (Stream<Path> files = Files.list(ROOT.resolve("crds/generated"))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString().replace(".yaml", "");
        apply(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + name,
            Files.readString(file));
      }
    }
    for (String each :
        List.of(
            "controlplanes", "storeshards", "schedulerpools", "nodepools", "controlplanetasks")) {
      Await.until(
          Duration.ofMinutes(2),
          each + " are served",
          () -> ask("GET", ours("team-a", each), "application/json", "").statusCode() == 200,
          () -> ask("GET", ours("team-a", each), "application/json", "").body());
    }
  }

  /** What the manifests allow the operator, and nothing else. */
  private void roles() throws Exception {
    String manifest = Files.readString(ROOT.resolve("config/manifests/operator.yaml"));
    for (String document : manifest.split("(?m)^---$")) {
      if (document.contains("\napiVersion: rbac.authorization.k8s.io/")) {
        String kind = document.replaceAll("(?s).*\\nkind: (\\S+)\\n.*", "$1");
        String name =
            document.replaceAll("(?s).*\\nmetadata:\\n(?:  [^\\n]*\\n)*?  name: (\\S+)\\n.*", "$1");
        String in = kind.startsWith("Cluster") ? "" : "namespaces/exaplane-system/";
        apply(RBAC + in + kind.toLowerCase(java.util.Locale.ROOT) + "s/" + name, document);
      }
    }
  }

  private void allowAnna() throws Exception {
    String in = RBAC + "namespaces/team-a/";
    create(
        in + "roles",
        """
        {"metadata": {"name": "viewer"}, "rules": [
         {"apiGroups": ["exaplane.io"], "resources": ["*"], "verbs": ["get", "list"]},
         {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"]}]}
        """);
    create(
        in + "rolebindings",
        """
        {"metadata": {"name": "anna"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "viewer"},
         "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "anna"}]}
        """);
  }

  /** Takes Anna's rights away. */
  void forbidAnna() throws Exception {
    expect(ask("DELETE", RBAC + "namespaces/team-a/rolebindings/anna", "application/json", ""));
  }

  /** Creates the sample under another name. */
  void createPlane(String namespace, String name) throws Exception {
    String sample = Files.readString(ROOT.resolve("config/samples/controlplane.yaml"));
    apply(
        ours(namespace, "controlplanes/" + name),
        sample.replaceAll("(?m)^(  name: ).*", "$1" + name));
  }

  /** Changes the spec of a control plane. */
  void changeSpec(String namespace, String name, String spec) throws Exception {
    expect(
        ask(
            "PATCH",
            ours(namespace, "controlplanes/" + name),
            "application/merge-patch+json",
            "{\"spec\":" + spec + "}"));
  }

  private static String ours(String namespace, String path) {
    return "/apis/exaplane.io/v1alpha1/namespaces/" + namespace + "/" + path;
  }

  /** The operator's kubeconfig. */
  Path kubeconfig() throws Exception {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        {"apiVersion": "v1", "kind": "Config", "current-context": "c",
         "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:%d", "insecure-skip-tls-verify": true}}],
         "users": [{"name": "c", "user": {"token": "%s"}}],
         "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c", "namespace": "exaplane-system"}}]}
        """
            .formatted(port, OPERATOR_TOKEN));
  }

  private void apply(String path, String manifest) throws Exception {
    expect(
        ask(
            "PATCH",
            path + "?fieldManager=t&force=true",
            "application/apply-patch+yaml",
            manifest));
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
    api.close();
    store.close();
  }
}
