// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.operator.nodepool.join.JoinInput;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A store, a kube-apiserver and a kube-controller-manager without its allocator, as the operator
 * runs them for nodes with prefixes of their own. Asked by any thread.
 */
final class Cluster implements AutoCloseable {
  static final String DNS = "fd00:e:96::a";
  static final String SERVICES = "fd00:e:96::/112";
  private static final Duration VALIDITY = Duration.ofDays(30);
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

  private final HttpClient http = Http.multiplexing();
  private final Path folder;
  private final List<Server> servers = new ArrayList<>();
  private final int port;
  private final CertificateAuthority authority;
  private final CertificateAuthority next;
  private Server controllers;
  private ApiServers apis;

  private Cluster(Path folder, int port) {
    this.folder = folder;
    this.port = port;
    Clock clock = Clock.systemUTC();
    authority = new CertificateAuthority(CertificateAuthority.create("hosted", clock), clock);
    next = new CertificateAuthority(CertificateAuthority.create("hosted-2", clock), clock);
  }

  /**
   * Starts all; nodes can join when this returns.
   *
   * @param more flags of kube-controller-manager
   */
  static Cluster start(Path folder, String... more) throws Exception {
    return start(folder, false, more);
  }

  /** The same with two kube-apiservers at one address, which can be restarted in turn. */
  static Cluster startTwo(Path folder) throws Exception {
    return start(folder, true);
  }

  private static Cluster start(Path folder, boolean isTwo, String... more) throws Exception {
    Cluster cluster = new Cluster(folder, Machine.freePort());
    try {
      cluster.startStore();
      cluster.startApi(isTwo);
      cluster.startControllers(List.of(more));
      cluster.bind("bootstrapper", "system:node-bootstrapper", "system:bootstrappers");
      cluster.bind(
          "approve",
          "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
          "system:bootstrappers");
      cluster.bind(
          "renew",
          "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
          "system:nodes");
      cluster.bind("exaplane-node-proxier", "system:node-proxier", "system:nodes");
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  private String storeUrl;

  private void startStore() throws Exception {
    storeUrl = "http://127.0.0.1:" + Machine.freePort();
    List<String> command = Machine.storeCommand();
    command.add("--name=join");
    command.add("--data-dir=" + folder.resolve("store"));
    command.add("--listen-client-urls=" + storeUrl);
    String pages = "http://127.0.0.1:" + Machine.freePort();
    command.add("--listen-metrics-urls=" + pages);
    servers.add(
        Server.start(
            command, Map.of(), URI.create(pages + "/readyz"), folder.resolve("store.log")));
  }

  private void startApi(boolean isTwo) throws Exception {
    Path ca = Files.writeString(folder.resolve("ca.crt"), caPem());
    sign(authority);
    serve(authority);
    KeyAndCertificate kubelets =
        authority.issue(Leaf.client("kube-apiserver", "system:masters", VALIDITY));
    List<String> command = ApiServerCommand.of(folder, storeUrl, port, List.of());
    command.removeIf(
        word ->
            word.startsWith("--bind-address")
                || word.startsWith("--authorization-mode")
                || word.startsWith("--service-cluster-ip-range"));
    command.addAll(
        List.of(
            "--bind-address=::",
            "--advertise-address=" + Net.API,
            "--service-cluster-ip-range=" + SERVICES,
            "--authorization-mode=Node,RBAC",
            "--enable-admission-plugins=NodeRestriction",
            "--enable-bootstrap-token-auth=true",
            "--allow-privileged=true",
            "--client-ca-file=" + ca,
            "--kubelet-preferred-address-types=InternalIP",
            // Read at the start alone: what a rotation brings is in the file from the beginning.
            "--kubelet-certificate-authority="
                + Files.writeString(
                    folder.resolve("kubelets-ca.crt"), caPem() + next.ca().certificatePem()),
            "--kubelet-client-certificate="
                + Files.writeString(folder.resolve("kubelets.crt"), kubelets.certificatePem()),
            "--kubelet-client-key="
                + Files.writeString(folder.resolve("kubelets.key"), kubelets.keyPem()),
            "--tls-cert-file=" + folder.resolve("api.crt"),
            "--tls-private-key-file=" + folder.resolve("api.key")));
    apis = isTwo ? ApiServers.two(command, port, folder) : ApiServers.one(command, port, folder);
  }

  /** The kube-apiservers, of which one serves while the other one is restarted. */
  ApiServers apis() {
    return apis;
  }

  private void startControllers(List<String> more) throws Exception {
    Path kubeconfig =
        Files.writeString(
            kubeconfig(),
            """
            {"apiVersion": "v1", "kind": "Config", "current-context": "c",
             "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:%d", "certificate-authority": "%s"}}],
             "users": [{"name": "c", "user": {"token": "%s"}}], "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]}
            """
                .formatted(port, folder.resolve("ca.crt"), Http.TOKEN));
    int page = Machine.freePort();
    List<String> command =
        new ArrayList<>(
            List.of(
                Kubernetes.binary("kube-controller-manager"),
                "--kubeconfig=" + kubeconfig,
                "--leader-elect=false",
                "--bind-address=127.0.0.1",
                "--secure-port=" + page,
                "--authorization-always-allow-paths=/healthz",
                "--cert-dir=" + folder.resolve("controllers"),
                "--cluster-signing-cert-file=" + folder.resolve("signing.crt"),
                "--cluster-signing-key-file=" + folder.resolve("signing.key"),
                "--root-ca-file=" + folder.resolve("ca.crt"),
                "--service-account-private-key-file=" + folder.resolve("sa.key"),
                "--allocate-node-cidrs=false"));
    command.addAll(more);
    controllers =
        Server.start(
            command,
            Map.of(),
            URI.create("https://127.0.0.1:%d/healthz".formatted(page)),
            folder.resolve("kube-controller-manager.log"));
  }

  /** kube-controller-manager reads the CAs that it gives to pods at its start. */
  void restartControllers() throws Exception {
    controllers.close();
    startControllers(List.of());
  }

  /** What verifies tokens of service accounts, and what signs them, once the API is restarted. */
  void tokenKeys(String publicPem, String privatePem) throws IOException {
    replace("sa.pub", publicPem);
    replace("sa.key", privatePem);
  }

  /** What signs tokens of service accounts now, and what verifies them. */
  String tokenKey(boolean isPublic) throws IOException {
    return Files.readString(folder.resolve(isPublic ? "sa.pub" : "sa.key"));
  }

  /** Certificates of kubelets come from this CA; restart the controllers after that. */
  void sign(CertificateAuthority ca) throws IOException {
    replace("signing.crt", ca.ca().certificatePem());
    replace("signing.key", ca.ca().keyPem());
  }

  /** The API shows a certificate of this CA, soon. */
  void serve(CertificateAuthority ca) throws IOException {
    KeyAndCertificate own =
        ca.issue(
            Leaf.server("kube-apiserver", List.of(Net.API, "127.0.0.1", "api.exj.test"), VALIDITY));
    replace("api.key", own.keyPem());
    replace("api.crt", own.certificatePem());
  }

  /** The API trusts these CAs, soon. */
  void trust(String pem) throws IOException {
    replace("ca.crt", pem);
  }

  private void replace(String name, String text) throws IOException {
    Path written = Files.writeString(folder.resolve(name + ".new"), text);
    Files.move(written, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  /** The CA of the beginning. */
  CertificateAuthority authority() {
    return authority;
  }

  /** The CA that a rotation brings. */
  CertificateAuthority next() {
    return next;
  }

  /** Gives a group a ClusterRole. */
  void bind(String name, String role, String group) throws Exception {
    made(
        RBAC,
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "%s"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "%s"},
         "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "%s"}]}
        """
            .formatted(name, role, group));
  }

  String caPem() {
    return authority.ca().certificatePem();
  }

  String server() {
    return "https://[%s]:%d".formatted(Net.API, port);
  }

  int port() {
    return port;
  }

  /** The administrator's. */
  Path kubeconfig() {
    return folder.resolve("admin.kubeconfig");
  }

  /** Makes a bootstrap token that ends then. */
  void token(String token, Instant expires) throws Exception {
    String[] halves = token.split("\\.");
    made(
        "/api/v1/namespaces/kube-system/secrets",
        """
        {"apiVersion": "v1", "kind": "Secret", "type": "bootstrap.kubernetes.io/token", "metadata": {"name": "bootstrap-token-%s"},
         "stringData": {"token-id": "%s", "token-secret": "%s", "usage-bootstrap-authentication": "true",
          "auth-extra-groups": "system:bootstrappers:exaplane:nodes", "expiration": "%s"}}
        """
            .formatted(halves[0], halves[0], halves[1], expires));
  }

  /** What the operator would tell hosts of the pool {@code edge}. */
  JoinInput input(String token) {
    return new JoinInput(
        server(),
        caPem(),
        token,
        Instant.now().plus(Duration.ofHours(1)),
        "edge",
        Kubernetes.version(),
        "{\"maxPods\": 250, \"nodeLeaseDurationSeconds\": 40}",
        Map.of("example.org/site", "north"),
        List.of(new JoinInput.Taint("example.org/new", "yes", "NoSchedule")),
        DNS,
        "cluster.local",
        OptionalInt.of(64),
        List.of(Net.POOL));
  }

  /** The administrator's; the caller closes it. */
  KubernetesClient client() {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + port)
                .withOauthToken(Http.TOKEN)
                .withTrustCerts(true)
                .withRequestTimeout(60_000)
                .withRequestRetryBackoffLimit(0)
                .build())
        .build();
  }

  private URI uri(String path) {
    return URI.create("https://127.0.0.1:%d%s".formatted(port, path));
  }

  /** Makes an object; it must be taken. */
  void made(String path, String object) throws IOException, InterruptedException {
    HttpResponse<String> answer = ask("POST", path, "application/json", object);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  /** Tries to make an object; returns why it is refused, or "" if it is not. */
  String refused(String path, String object) throws IOException, InterruptedException {
    HttpResponse<String> answer = ask("POST", path, "application/json", object);
    return answer.statusCode() < 300 ? "" : JSON.readTree(answer.body()).path("message").asText();
  }

  /** Tries to make an object; returns what the API warns of, or "" if it does not. */
  String warned(String path, String object) throws IOException, InterruptedException {
    return String.join(
        "; ", ask("POST", path, "application/json", object).headers().allValues("Warning"));
  }

  /** Changes an object by a merge; it must be taken. */
  void changed(String path, String patch) throws IOException, InterruptedException {
    HttpResponse<String> answer = ask("PATCH", path, "application/merge-patch+json", patch);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  void deleted(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = ask("DELETE", path, "application/json", "");
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 202, 404);
  }

  /** An object or a list, whatever the answer was. */
  JsonNode got(String path) throws IOException, InterruptedException {
    return JSON.readTree(ask("GET", path, "application/json", "").body());
  }

  private HttpResponse<String> ask(String method, String path, String type, String body)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(uri(path))
            .timeout(DEADLINE)
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
    if (controllers != null) {
      controllers.close();
    }
    if (apis != null) {
      apis.close();
    }
    servers.forEach(Server::close);
  }
}
