// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A real kube-apiserver on a store of ours, which can be killed and started again. */
final class LiveApi implements AutoCloseable {
  private static final String SCHEDULER_TOKEN = "the-scheduler";

  private final Path folder;
  private final int port;
  private final Server store;
  private final List<String> command;
  private final Path adminKubeconfig;
  private final Path schedulerKubeconfig;
  private Server apiServer;

  private LiveApi(Path folder, List<String> more) throws Exception {
    this.folder = folder;
    port = Machine.freePort();
    adminKubeconfig = kubeconfig("admin.kubeconfig", Http.TOKEN);
    schedulerKubeconfig = kubeconfig("scheduler.kubeconfig", SCHEDULER_TOKEN);
    String url = "http://127.0.0.1:" + Machine.freePort();
    List<String> words = Machine.storeCommand();
    words.addAll(List.of("--durability=memory", "--listen-client-urls=" + url));
    store = Server.start(words, Map.of(), URI.create(url + "/readyz"), folder.resolve("store.log"));
    command =
        ApiServerCommand.of(
            folder, url, port, List.of(SCHEDULER_TOKEN + ",system:kube-scheduler,2"));
    command.add("--disable-admission-plugins=ServiceAccount,TaintNodesByCondition");
    command.addAll(more);
  }

  /** Both, ready. */
  static LiveApi start(Path folder, String... moreFlags) throws Exception {
    return ready(new LiveApi(folder, List.of(moreFlags)));
  }

  /** Both, ready, with groups of pods as the newest minor has them. */
  static LiveApi startWithGroups(Path folder) throws Exception {
    return ready(new LiveApi(folder, groups("v1beta1")));
  }

  /** The same of the minor before, with the groups of pods that 1.36 alone has. */
  static LiveApi startWithGroupsOf136(Path folder) throws Exception {
    LiveApi api = new LiveApi(folder, groups("v1alpha2"));
    api.command.set(0, Machine.environment("EXA_KUBE_PREVIOUS") + "/kube-apiserver");
    return ready(api);
  }

  private static List<String> groups(String version) {
    return List.of(
        "--feature-gates=GenericWorkload=true",
        "--runtime-config=scheduling.k8s.io/" + version + "=true");
  }

  private static LiveApi ready(LiveApi api) throws Exception {
    try {
      api.startApiServer();
    } catch (Exception e) {
      api.close();
      throw e;
    }
    return api;
  }

  /** Starts the API server; it is ready when this returns. */
  void startApiServer() throws Exception {
    URI ready = URI.create(uri() + "/readyz");
    apiServer = Server.start(command, Map.of(), ready, folder.resolve("kube-apiserver.log"));
  }

  /** Ends it at once, in the middle of what it does. */
  void killApiServer() {
    apiServer.close();
  }

  long apiServerPid() {
    return apiServer.pid();
  }

  long storePid() {
    return store.pid();
  }

  /** Whether both run. */
  boolean isAlive() {
    return isAlive(store) && isAlive(apiServer);
  }

  private static boolean isAlive(Server server) {
    return ProcessHandle.of(server.pid()).map(ProcessHandle::isAlive).orElse(false);
  }

  /** Starts kube-controller-manager with some of its controllers, the caller's to close. */
  Server startControllers(String... names) throws Exception {
    int managerPort = Machine.freePort();
    List<String> words =
        List.of(
            Kubernetes.binary("kube-controller-manager"),
            "--kubeconfig=" + adminKubeconfig,
            "--leader-elect=false",
            "--bind-address=127.0.0.1",
            "--secure-port=" + managerPort,
            "--cert-dir=" + folder.resolve("controller-manager"),
            "--controllers=" + String.join(",", names));
    URI healthz = URI.create("https://127.0.0.1:" + managerPort + "/healthz");
    return Server.start(words, Map.of(), healthz, folder.resolve("controllers.log"));
  }

  /** A kubeconfig of an administrator. */
  Path kubeconfig() {
    return adminKubeconfig;
  }

  /** One of who may do what kube-scheduler may by Kubernetes' own roles, and no more. */
  Path schedulerKubeconfig() {
    return schedulerKubeconfig;
  }

  private Path kubeconfig(String name, String token) throws Exception {
    return Files.writeString(
        folder.resolve(name),
        """
        {"apiVersion":"v1","kind":"Config","current-context":"c",
         "clusters":[{"name":"c","cluster":{"server":"%s","insecure-skip-tls-verify":true}}],
         "users":[{"name":"u","user":{"token":"%s"}}],
         "contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}]}
        """
            .formatted(uri(), token));
  }

  private String uri() {
    return "https://127.0.0.1:" + port;
  }

  /** A client of an administrator, the caller's to close. */
  KubernetesClient client() {
    return new KubernetesClientBuilder().withConfig(config(Http.TOKEN)).build();
  }

  /** Who may do what kube-scheduler may. */
  Config schedulerConfig() {
    return config(SCHEDULER_TOKEN);
  }

  private Config config(String token) {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl(uri())
        .withOauthToken(token)
        .withTrustCerts(true)
        .withRequestTimeout(120_000)
        .withRequestRetryBackoffLimit(0)
        .build();
  }

  @Override
  public void close() {
    if (apiServer != null) {
      apiServer.close();
    }
    store.close();
  }
}
