// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A management cluster whose only node is cordoned: kube-apiserver on a store of ours, the
 * controllers and the scheduler of Kubernetes. Objects are made and removed as in any cluster, and
 * no pod ever runs.
 */
final class Management implements AutoCloseable {
  /** Who the operator is: the account of its manifests, with the roles that they give it. */
  static final String OPERATOR = "system:serviceaccount:exaplane-system:exaplane-operator";

  private static final String OPERATOR_GROUPS =
      "\"system:serviceaccounts,system:serviceaccounts:exaplane-system\"";

  private static final String OPERATOR_TOKEN = "the-operator";

  /** The same account under another UID, by which the audit log tells the two apart. */
  private static final String STANDBY_TOKEN = "the-standby";

  static final String STANDBY_UID = "standby";

  /** Addresses of Services, which lead to nobody: no other test has them. */
  static final String SERVICES = "10.196.0.0/16";

  /** One of them. */
  static final String ADDRESS_OF_NOBODY = "10.196.255.254";

  /** Of which the operator is that is tested. */
  static final Path TODAY = Path.of("../..");

  private static final String KINDS_AT = "/apis/exaplane.io/v1alpha1/";
  private static final List<String> KINDS =
      List.of("controlplanes", "storeshards", "schedulerpools", "nodepools", "controlplanetasks");

  private static final Duration SERVED = Duration.ofMinutes(2);

  /** As whoever applies them by hand. */
  private static final String APPLIED_BY = "kubectl";

  /** Those that the operator's objects need; the others would take half of the machine. */
  private static final List<String> CONTROLLERS =
      List.of(
          "statefulset-controller",
          "deployment-controller",
          "replicaset-controller",
          "disruption-controller",
          "garbage-collector-controller",
          "persistentvolumeclaim-protection-controller",
          "resourcequota-controller",
          "namespace-controller");

  private final Path folder;
  private final Path tree;
  private final int port;
  private final Deque<Server> servers = new ArrayDeque<>();
  private KubernetesClient client;

  private Management(Path folder, Path tree) throws IOException {
    this.folder = folder;
    this.tree = tree;
    this.port = Machine.freePort();
  }

  static Management start(Path folder) throws Exception {
    return start(folder, TODAY);
  }

  /**
   * Starts all of it; it serves when this returns.
   *
   * @param tree whose definitions and roles are installed, as the repository has them
   */
  static Management start(Path folder, Path tree) throws Exception {
    Management cluster = new Management(folder, tree);
    try {
      cluster.startAll();
      return cluster;
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
  }

  private void startAll() throws Exception {
    String store = "http://127.0.0.1:" + Machine.freePort();
    List<String> words = Machine.storeCommand();
    words.addAll(List.of("--durability=memory", "--listen-client-urls=" + store));
    servers.push(
        Server.start(words, Map.of(), URI.create(store + "/readyz"), folder.resolve("store.log")));
    Path policy = Files.writeString(folder.resolve("audit.yaml"), AuditLog.POLICY);
    List<String> command =
        ApiServerCommand.of(
            folder,
            store,
            port,
            List.of(account(OPERATOR_TOKEN, "operator"), account(STANDBY_TOKEN, STANDBY_UID)));
    command.removeIf(word -> word.startsWith("--service-cluster-ip-range"));
    command.add("--service-cluster-ip-range=" + SERVICES);
    command.add("--disable-admission-plugins=ServiceAccount");
    command.add("--audit-policy-file=" + policy);
    command.add("--audit-log-path=" + folder.resolve("audit.log"));
    // Hundreds are applied at once by the test; how they are treated by turns is not its matter.
    command.add("--enable-priority-and-fairness=false");
    servers.push(
        Server.start(
            command, Map.of(), URI.create(uri() + "/readyz"), folder.resolve("apiserver.log")));
    client = new KubernetesClientBuilder().withConfig(config(Http.TOKEN)).build();
    installObjects();
    Path admin = kubeconfig("admin.kubeconfig", Http.TOKEN, "default");
    controllers(
        "controllers",
        "--controllers=" + String.join(",", CONTROLLERS),
        "--concurrent-gc-syncs=40",
        "--kube-api-qps=2000",
        "--kube-api-burst=4000");
    component("kube-scheduler", "kube-scheduler", admin);
  }

  /** The controllers of volumes, which few tests need. */
  void startVolumeControllers() throws Exception {
    controllers(
        "volumes",
        "--controllers=persistentvolume-binder-controller,persistentvolume-expander-controller");
  }

  private void controllers(String name, String... flags) throws Exception {
    component(
        name,
        "kube-controller-manager",
        adminKubeconfig(),
        Stream.concat(Stream.of("--use-service-account-credentials=false"), Stream.of(flags))
            .toArray(String[]::new));
  }

  private static String account(String token, String uid) {
    return String.join(",", token, OPERATOR, uid, OPERATOR_GROUPS);
  }

  /**
   * @param name of its files
   */
  private void component(String name, String binary, Path kubeconfig, String... flags)
      throws Exception {
    int at = Machine.freePort();
    List<String> words =
        Stream.concat(
                Stream.of(
                    Kubernetes.binary(binary),
                    "--kubeconfig=" + kubeconfig,
                    "--leader-elect=false",
                    "--bind-address=127.0.0.1",
                    "--secure-port=" + at,
                    "--cert-dir=" + folder.resolve(name)),
                Stream.of(flags))
            .toList();
    servers.push(
        Server.start(
            words,
            Map.of(),
            URI.create("https://127.0.0.1:" + at + "/healthz"),
            folder.resolve(name + ".log")));
  }

  private void installObjects() throws IOException, InterruptedException {
    client
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName("exaplane-system")
                .endMetadata()
                .build())
        .create();
    install(tree);
    client
        .resource(
            new StorageClassBuilder()
                .withNewMetadata()
                .withName("nobody-provisions")
                .addToAnnotations("storageclass.kubernetes.io/is-default-class", "true")
                .endMetadata()
                .withProvisioner("kubernetes.io/no-provisioner")
                .withVolumeBindingMode("WaitForFirstConsumer")
                .build())
        .create();
    Map<String, Quantity> room =
        Map.of(
            "cpu", new Quantity("64"),
            "memory", new Quantity("256Gi"),
            "pods", new Quantity("110"));
    client
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName("cordoned")
                .endMetadata()
                .withNewSpec()
                .withUnschedulable(true)
                .endSpec()
                .withNewStatus()
                .withCapacity(room)
                .withAllocatable(room)
                .endStatus()
                .build())
        .create();
  }

  /** Definitions, and what manifests allow the operator: nothing else of them. All are served. */
  void install(Path of) throws IOException, InterruptedException {
    try (Stream<Path> files = Files.list(of.resolve("crds/generated"))) {
      for (Path file : files.sorted().toList()) {
        apply(Files.readString(file));
      }
    }
    Arrays.stream(Files.readString(manifest(of)).split("(?m)^---$"))
        .filter(document -> document.contains("\napiVersion: rbac.authorization.k8s.io/"))
        .forEach(this::apply);
    for (String kind : KINDS) {
      Await.until(
          SERVED, kind + " are served", () -> client.raw(KINDS_AT + kind) != null, () -> "");
    }
  }

  private void apply(String document) {
    client.resource(document).fieldManager(APPLIED_BY).forceConflicts().serverSideApply();
  }

  private static Path manifest(Path tree) {
    return tree.resolve("config/manifests/operator.yaml");
  }

  /** The operator's memory limit as its manifests ship it, bytes. */
  static long shippedLimitBytes() throws IOException {
    String memory =
        Files.readAllLines(manifest(TODAY)).stream()
            .dropWhile(line -> !line.strip().equals("limits:"))
            .map(String::strip)
            .filter(line -> line.startsWith("memory:"))
            .findFirst()
            .orElseThrow()
            .substring("memory:".length())
            .strip();
    return Quantity.getAmountInBytes(new Quantity(memory)).longValueExact();
  }

  Path adminKubeconfig() {
    return folder.resolve("admin.kubeconfig");
  }

  Path operatorKubeconfig() throws IOException {
    return kubeconfig("operator.kubeconfig", OPERATOR_TOKEN, "exaplane-system");
  }

  Path standbyKubeconfig() throws IOException {
    return kubeconfig("standby.kubeconfig", STANDBY_TOKEN, "exaplane-system");
  }

  /** The pod that the Lease names; "" for none. */
  String leader() {
    String holder =
        client
            .leases()
            .inNamespace("exaplane-system")
            .withName("exaplane-operator")
            .get()
            .getSpec()
            .getHolderIdentity();
    return holder == null ? "" : holder;
  }

  AuditLog auditLog() {
    return new AuditLog(folder.resolve("audit.log"));
  }

  KubernetesClient client() {
    return client;
  }

  private String uri() {
    return "https://127.0.0.1:" + port;
  }

  private Config config(String token) {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl(uri())
        .withOauthToken(token)
        .withTrustCerts(true)
        .withRequestTimeout(60_000)
        .build();
  }

  private Path kubeconfig(String name, String token, String namespace) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        """
        {"apiVersion":"v1","kind":"Config","current-context":"c",
         "clusters":[{"name":"c","cluster":{"server":"%s","insecure-skip-tls-verify":true}}],
         "users":[{"name":"u","user":{"token":"%s"}}],
         "contexts":[{"name":"c","context":{"cluster":"c","user":"u","namespace":"%s"}}]}
        """
            .formatted(uri(), token, namespace));
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    servers.forEach(Server::close);
  }
}
