// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.exaplane.testbed.machine.StartFailure;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.apf.FlowControl;
import io.exaplane.tuning.rules.Item;
import io.exaplane.tuning.version.Component;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real kube-apiserver on our store, both on loopback; the other components are started on top of
 * them. What the model says comes behind what every component needs to start at all.
 */
final class ControlPlane implements AutoCloseable {
  private static final AtomicInteger STARTS = new AtomicInteger();
  private static final String TESTERS = "testers";
  private static final JsonMapper JSON = new JsonMapper();
  private final Path folder;
  private final Path certificates;
  private final int port;
  private final List<Server> servers = new CopyOnWriteArrayList<>();

  private ControlPlane(Path folder, Path certificates, int port) {
    this.folder = folder;
    this.certificates = certificates;
    this.port = port;
  }

  /**
   * With a store of its own, for tests that measure or fill one; the others start theirs by {@link
   * ControlPlanes}. The kube-apiserver has the flags, gates and environment that the model says.
   */
  static ControlPlane start(Path folder, Tuning tuning) throws Exception {
    return start(folder, tuning, List.of());
  }

  /** The same with more flags at the end. */
  static ControlPlane start(Path folder, Tuning tuning, List<String> more) throws Exception {
    ControlPlane controlPlane = new ControlPlane(folder, folder, Machine.freePort());
    Server store = startStore(folder);
    controlPlane.servers.add(store);
    return controlPlane.withApiServer(address(store), tuning, more, Map.of());
  }

  /**
   * The same on a store that others use, too, with keys of its own there.
   *
   * @param certificates folder of the servers' certificates: the first of each kind makes them
   */
  static ControlPlane on(
      Server store, Path certificates, Path folder, Tuning tuning, List<String> more)
      throws Exception {
    List<String> all = new ArrayList<>();
    all.add("--etcd-prefix=/start-" + STARTS.incrementAndGet());
    all.addAll(more);
    return new ControlPlane(folder, certificates, Machine.freePort())
        .withApiServer(address(store), tuning, all, Map.of());
  }

  /**
   * The same, with the whole store as its own, for a test that measures the kube-apiserver's
   * memory: its heap is collected at Go's own pace, as in a pod. The launcher may have given
   * another one to programs of tests.
   */
  static ControlPlane measured(Server store, Path folder, Tuning tuning, List<String> more)
      throws Exception {
    return new ControlPlane(folder, folder, Machine.freePort())
        .withApiServer(address(store), tuning, more, Map.of("GOGC", "100"));
  }

  /** The same kube-apiserver for one test: what the test starts ends with what this returns. */
  ControlPlane lent(Path folder) {
    return new ControlPlane(folder, certificates, port);
  }

  private ControlPlane withApiServer(
      String store, Tuning tuning, List<String> more, Map<String, String> variables)
      throws Exception {
    try {
      startApiServer(store, tuning, more, variables);
    } catch (StartFailure e) {
      close();
      throw e;
    }
    return this;
  }

  /** A store that keeps all in its memory. */
  static Server startStore(Path folder, String... flags) throws Exception {
    String url = "http://127.0.0.1:" + Machine.freePort();
    List<String> command = Machine.storeCommand();
    command.addAll(List.of("--durability=memory", "--listen-client-urls=" + url));
    command.addAll(List.of(flags));
    return Server.start(
        command, Map.of(), URI.create(url + "/readyz"), folder.resolve("store.log"));
  }

  static String address(Server store) {
    return store.page().toString().replace("/readyz", "");
  }

  private void startApiServer(
      String store, Tuning tuning, List<String> more, Map<String, String> variables)
      throws Exception {
    List<String> accounts = new ArrayList<>();
    for (String name : ListClient.NAMES) {
      accounts.add("%1$s,%2$s,%1$s,%3$s".formatted(name, ListClient.account(name), TESTERS));
    }
    for (int i = 0; i < Kubelets.COUNT; i++) {
      accounts.add(
          "%1$s,%2$s,%1$s,%3$s".formatted(Kubelets.token(i), Kubelets.user(i), Kubelets.GROUP));
    }
    List<String> command = ApiServerCommand.of(folder, store, port, accounts);
    command.add("--cert-dir=" + certificates);
    command.addAll(advised(tuning, store));
    command.addAll(more);
    Map<String, String> all = environment(tuning);
    all.putAll(variables);
    start("kube-apiserver", command, all, uri("/readyz"));
  }

  /** The words that the model adds to a kube-apiserver's, all of whose stores are one. */
  static List<String> advised(Tuning tuning, String store) {
    List<String> words = new ArrayList<>();
    String overrides = overrides(tuning);
    if (!overrides.isEmpty()) {
      words.add("--etcd-servers-overrides=" + overrides.replace("#URL", "#" + store));
    }
    words.addAll(tuning.arguments(Component.KUBE_APISERVER));
    return words;
  }

  /** A kube-apiserver that somebody else starts and ends, for what can be asked of one. */
  static ControlPlane at(Path folder, int port) {
    return new ControlPlane(folder, folder, port);
  }

  /** kube-controller-manager with what the model says. */
  Server startControllerManager(Tuning tuning, List<String> more) throws Exception {
    int port = Machine.freePort();
    List<String> command = new ArrayList<>();
    command.add(Kubernetes.binary("kube-controller-manager"));
    command.add("--kubeconfig=" + kubeconfig());
    command.add("--leader-elect=false");
    command.add("--bind-address=127.0.0.1");
    command.add("--secure-port=" + port);
    command.add("--cert-dir=" + certificates);
    command.addAll(tuning.arguments(Component.KUBE_CONTROLLER_MANAGER));
    command.addAll(more);
    return start("kube-controller-manager", command, Map.of(), healthz(port));
  }

  /** kube-scheduler with what the model says; most of it is in its configuration file. */
  Server startScheduler(Tuning tuning, List<String> more) throws Exception {
    int port = Machine.freePort();
    Map<String, Object> configuration = tuning.configuration(Component.KUBE_SCHEDULER);
    Tuning.put(configuration, "leaderElection.leaderElect", false);
    Tuning.put(configuration, "clientConnection.kubeconfig", kubeconfig().toString());
    Path file = folder.resolve("scheduler.json");
    Files.writeString(file, JSON.writeValueAsString(configuration));
    List<String> command = new ArrayList<>();
    command.add(Kubernetes.binary("kube-scheduler"));
    command.add("--config=" + file);
    command.add("--bind-address=127.0.0.1");
    command.add("--secure-port=" + port);
    command.add("--cert-dir=" + certificates);
    command.addAll(tuning.arguments(Component.KUBE_SCHEDULER));
    command.addAll(more);
    return start("kube-scheduler", command, Map.of(), healthz(port));
  }

  /** Creates an object as an administrator, and returns it as the server has it. */
  String create(String path, String object) throws Exception {
    HttpResponse<String> response = Http.post(uri(path), object);
    if (response.statusCode() != 201) {
      throw new AssertionError(path + ": " + response.body());
    }
    return response.body();
  }

  /** Lets the accounts of the tests' clients do everything, as a role does, without exemption. */
  void admitTesters() throws Exception {
    admit("testers", TESTERS);
  }

  /** Lets the accounts of a group do everything, without exemption from queuing. */
  void admit(String name, String group) throws Exception {
    create(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        """
        {"metadata":{"name":"%s"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},
         "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"Group","name":"%s"}]}
        """
            .formatted(name, group));
  }

  /** Applies flow schemas and priority levels by server-side apply. */
  void apply(FlowControl flowControl) throws Exception {
    for (Map<String, Object> manifest : flowControl.manifests()) {
      String plural = manifest.get("kind").toString().toLowerCase(Locale.ROOT) + "s";
      Object name = ((Map<?, ?>) manifest.get("metadata")).get("name");
      HttpResponse<String> response =
          Http.apply(
              uri(
                  "/apis/flowcontrol.apiserver.k8s.io/v1/"
                      + plural
                      + "/"
                      + name
                      + "?fieldManager=exaplane"),
              JSON.writeValueAsString(manifest));
      if (response.statusCode() / 100 != 2) {
        throw new AssertionError(name + ": " + response.body());
      }
    }
  }

  URI uri(String path) {
    return URI.create("https://127.0.0.1:" + port + path);
  }

  /** A kubeconfig of an administrator, which stays as it is once a component reads it. */
  synchronized Path kubeconfig() throws Exception {
    Path file = folder.resolve("kubeconfig-" + port);
    if (Files.exists(file)) {
      return file;
    }
    String server = "{\"server\":\"%s\",\"insecure-skip-tls-verify\":true}".formatted(uri(""));
    return Files.writeString(
        file,
        """
        {"apiVersion":"v1","kind":"Config","current-context":"c",
         "clusters":[{"name":"c","cluster":%s}],
         "users":[{"name":"u","user":{"token":"%s"}}],
         "contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}]}
        """
            .formatted(server, Http.TOKEN));
  }

  private static URI healthz(int port) {
    return URI.create("https://127.0.0.1:" + port + "/healthz");
  }

  private static String overrides(Tuning tuning) {
    return tuning.items(Component.STORE, Item.Type.CONFIG).stream()
        .filter(item -> item.name().equals("etcd-servers-overrides"))
        .map(item -> item.value().toString())
        .findFirst()
        .orElse("");
  }

  /** The variables that the model gives a kube-apiserver. */
  static Map<String, String> environment(Tuning tuning) {
    Map<String, String> environment = new HashMap<>();
    tuning
        .items(Component.KUBE_APISERVER, Item.Type.ENV)
        .forEach(item -> environment.put(item.name(), item.value().toString()));
    return environment;
  }

  /** The process of its kube-apiserver, which was started first. */
  Server apiServer() {
    return servers.stream()
        .filter(server -> server.page().equals(uri("/readyz")))
        .findFirst()
        .orElseThrow();
  }

  /** Starts one more process, which ends with this control plane. */
  Server start(String name, List<String> command, Map<String, String> environment, URI page)
      throws Exception {
    Server server = Server.start(command, environment, page, folder.resolve(name + ".log"));
    servers.add(server);
    return server;
  }

  @Override
  public void close() {
    servers.reversed().forEach(Server::close);
  }
}
