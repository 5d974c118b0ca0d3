// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A management cluster for the Operator Lifecycle Manager: kube-apiserver on a store of ours, with
 * RBAC, and Kubernetes' controllers. Both operators of OLM v0 are there if asked for; OLM v1 is
 * {@link OlmV1}. No node is there; {@link PodHands} runs what pods say. Used by one thread.
 */
final class OlmCluster implements AutoCloseable {
  /** Where docs/install.md puts the operator, its catalog and its Subscription. */
  static final String NAMESPACE = "exaplane-system";

  private static final int LIMIT_SECONDS = 900;

  /** Admission knows Kubernetes' controllers by their name. */
  private static final String CONTROLLERS_TOKEN = "token-of-the-controllers";

  /** Those that OLM's objects and the operator's need; others would take cores from them. */
  private static final List<String> CONTROLLERS =
      List.of(
          "clusterrole-aggregation-controller",
          "deployment-controller",
          "disruption-controller",
          "garbage-collector-controller",
          "job-controller",
          "namespace-controller",
          "persistentvolumeclaim-protection-controller",
          "replicaset-controller",
          "serviceaccount-controller",
          "statefulset-controller");

  private final Path folder;
  private final int port;
  private final Deque<Server> servers = new ArrayDeque<>();
  private Server controllers;
  private KubernetesClient client;

  private OlmCluster(Path folder) throws IOException {
    this.folder = folder;
    this.port = Machine.freePort();
  }

  /**
   * Starts it without OLM.
   *
   * @param folder takes files and logs
   */
  static OlmCluster start(Path folder) throws Exception {
    OlmCluster cluster = new OlmCluster(folder);
    try {
      cluster.startKubernetes();
      return cluster;
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
  }

  private void startKubernetes() throws Exception {
    String store = "http://127.0.0.1:" + Machine.freePort();
    List<String> words = Machine.storeCommand();
    words.addAll(List.of("--durability=memory", "--listen-client-urls=" + store));
    servers.push(
        Server.start(words, Map.of(), URI.create(store + "/readyz"), folder.resolve("store.log")));
    servers.push(
        Server.start(
            ApiServerCommand.of(
                folder,
                store,
                port,
                List.of(CONTROLLERS_TOKEN + ",system:kube-controller-manager,2,system:masters")),
            Map.of(),
            readiness(),
            folder.resolve("apiserver.log")));
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl(uri())
                    .withOauthToken(Http.TOKEN)
                    .withTrustCerts(true)
                    .withRequestTimeout(120_000)
                    .build())
            .build();
    kubeconfig("kubeconfig", Http.TOKEN);
    int page = Machine.freePort();
    controllers =
        Server.start(
            List.of(
                Kubernetes.binary("kube-controller-manager"),
                "--kubeconfig=" + kubeconfig("controllers.kubeconfig", CONTROLLERS_TOKEN),
                "--leader-elect=false",
                "--bind-address=127.0.0.1",
                "--secure-port=" + page,
                "--cert-dir=" + folder.resolve("controllers"),
                "--controllers=" + String.join(",", CONTROLLERS)),
            Map.of(),
            URI.create("https://127.0.0.1:" + page + "/healthz"),
            folder.resolve("controllers.log"));
    servers.push(controllers);
  }

  /** The last lines in which Kubernetes' controllers wrote of what a policy protects. */
  String refusals() throws IOException {
    return controllers.lastWordsOf("is protected");
  }

  /** Starts OLM v0 as its own chart does; what it would pull is run by {@link PodHands}. */
  void startOlm() throws Exception {
    kubectl("create", "namespace", "olm");
    define(OlmPrograms.crds());
    begin("catalog");
    begin("olm");
  }

  /**
   * One of OLM's operators. It is there at once: its own page has a port that nobody can choose,
   * and who finds the port in use goes on without the page.
   */
  private void begin(String program) throws Exception {
    servers.push(
        Server.start(
            List.of(OlmPrograms.binary(program), "--namespace=olm", "--interval=15s"),
            Map.of("KUBECONFIG", adminKubeconfig().toString(), "OPERATOR_NAMESPACE", "olm"),
            readiness(),
            folder.resolve(program + ".log")));
  }

  KubernetesClient client() {
    return client;
  }

  /** OLM's objects of a Kind in the operator's namespace. */
  List<GenericKubernetesResource> ofOlm(String kind) {
    return client
        .genericKubernetesResources("operators.coreos.com/v1alpha1", kind)
        .inNamespace(NAMESPACE)
        .list()
        .getItems();
  }

  /** What kubectl prints; it must pass. */
  String kubectl(String... words) throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(
                Stream.of(
                    Kubernetes.binary("kubectl"),
                    "--kubeconfig=" + adminKubeconfig(),
                    "--cache-dir=" + folder.resolve("discovery")),
                Stream.of(words))
            .toList();
    Path output = Files.createTempFile(folder, "kubectl", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(
          String.join(" ", words) + " did not end: " + Files.readString(output));
    }
    if (process.exitValue() != 0) {
      throw new AssertionError(String.join(" ", words) + ": " + Files.readString(output));
    }
    return Files.readString(output);
  }

  /** API types of a folder, which are there afterwards. */
  void define(Path types) throws IOException, InterruptedException {
    kubectl("apply", "--server-side", "-f", types.toString());
    kubectl("wait", "--for=condition=Established", "--timeout=600s", "crd", "--all");
  }

  /** What a user applies: server-side, as the docs say. */
  void apply(String yaml) throws IOException, InterruptedException {
    Path file = Files.writeString(Files.createTempFile(folder, "apply", ".yaml"), yaml);
    kubectl("apply", "--server-side", "--validate=strict", "-f", file.toString());
  }

  Path adminKubeconfig() {
    return folder.resolve("kubeconfig");
  }

  /** A kubeconfig of whom the token names, in the operator's namespace. */
  Path kubeconfig(String name, String token) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        """
        {"apiVersion":"v1","kind":"Config","current-context":"c",
         "clusters":[{"name":"c","cluster":{"server":"%s","insecure-skip-tls-verify":true}}],
         "users":[{"name":"u","user":{"token":"%s"}}],
         "contexts":[{"name":"c","context":{"cluster":"c","user":"u","namespace":"%s"}}]}
        """
            .formatted(uri(), token, name.equals("kubeconfig") ? "default" : NAMESPACE));
  }

  /** A page that answers while the cluster is there. */
  URI readiness() {
    return URI.create(uri() + "/readyz");
  }

  private String uri() {
    return "https://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    servers.forEach(Server::close);
  }
}
