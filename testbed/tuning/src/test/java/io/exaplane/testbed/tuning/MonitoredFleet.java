// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.exaplane.tuning.Tuning;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Everything that a Prometheus reads, as processes: a control plane with a store on a disk, its
 * controllers and scheduler, Exaplane's scheduler and the operator. Its API is that of the
 * management cluster, too, and has a pod for each process, by which Prometheus finds them. A load
 * goes on until the end.
 */
final class MonitoredFleet implements AutoCloseable {
  /** The control plane that Prometheus reads, as {@code exactl monitors} takes it. */
  static final String NAMESPACE = "team";

  static final String NAME = "demo";

  /** Who Prometheus is: an account that waits in queues as others do. */
  static final String READER = ListClient.NAMES.getFirst();

  /** Folder of the API types, and a file with a ControlPlane: inputs of this test's step alone. */
  private static final String CRDS = "EXA_CRDS";

  private static final String SAMPLE = "EXA_SAMPLE";
  private static final String PAGES = "/healthz,/metrics";
  private static final String OPERATOR_NAMESPACE = "exaplane-system";

  private static final String STORAGE_CLASS =
      """
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata:
        name: none
        annotations: {storageclass.kubernetes.io/is-default-class: 'true'}
      provisioner: example.com/none
      """;

  /** Those that nodes and the operator's objects need. */
  private static final String CONTROLLERS =
      "node-lifecycle-controller,node-ipam-controller,taint-eviction-controller,"
          + "deployment-controller,replicaset-controller,statefulset-controller,"
          + "garbage-collector-controller,namespace-controller";

  private final Path folder;
  private Server store;
  private ControlPlane controlPlane;
  private MonitoredLoad load;

  private MonitoredFleet(Path folder) {
    this.folder = folder;
  }

  static MonitoredFleet start(Path folder) throws Exception {
    MonitoredFleet fleet = new MonitoredFleet(folder);
    try {
      fleet.startAll();
      return fleet;
    } catch (Exception e) {
      fleet.close();
      throw e;
    }
  }

  private void startAll() throws Exception {
    Tuning tuning = Clusters.tuning(100);
    store = startStore();
    controlPlane =
        ControlPlane.on(
            store,
            folder,
            folder,
            tuning,
            List.of(
                "--etcd-prefix=/registry",
                "--etcd-count-metric-poll-period=1s",
                // Pods whose account need not be there.
                "--disable-admission-plugins=ServiceAccount"));
    controlPlane.admitTesters();
    MonitoredTrouble.prepare(controlPlane);
    apply("/api/v1/namespaces/" + NAMESPACE, namespace(NAMESPACE));
    apply("/api/v1/namespaces/" + OPERATOR_NAMESPACE, namespace(OPERATOR_NAMESPACE));
    for (int i = 0; i < MonitoredLoad.NODES; i++) {
      controlPlane.create("/api/v1/nodes", MonitoredLoad.node(i));
    }
    Server operator = startOperator();
    Server controllers =
        controlPlane.startControllerManager(
            tuning,
            List.of(
                "--authorization-always-allow-paths=" + PAGES,
                "--controllers=" + CONTROLLERS,
                "--allocate-node-cidrs=true",
                "--cluster-cidr=10.200.0.0/16"));
    Server kubeScheduler =
        controlPlane.startScheduler(tuning, List.of("--authorization-always-allow-paths=" + PAGES));
    Server root = startRoot();
    String plane = "\"exaplane.io/control-plane\":\"" + NAME + "\"";
    String component = plane + ",\"app.kubernetes.io/component\":\"%s\"";
    pod(NAMESPACE, "server", component.formatted("apiserver"), "https", controlPlane.uri("/"));
    pod(NAMESPACE, "managers", component.formatted("controller-manager"), "https", at(controllers));
    pod(NAMESPACE, "scheduler", component.formatted("scheduler"), "https", at(kubeScheduler));
    pod(NAMESPACE, "store", plane + ",\"exaplane.io/store-shard\":\"main\"", "metrics", at(store));
    String pool = "\"exaplane.io/scheduler-pool\":\"" + NAME + "\",";
    pod(NAMESPACE, "root", pool + "\"app.kubernetes.io/component\":\"root\"", "http", at(root));
    pod(
        OPERATOR_NAMESPACE,
        "operator",
        "\"app.kubernetes.io/name\":\"exaplane-operator\"",
        "http",
        at(operator));
    load = MonitoredLoad.start(controlPlane.uri("/"));
  }

  private static URI at(Server server) {
    return server.page();
  }

  /** Each batch of writes waits for the disk. It has a prefix with a quota, and slow requests. */
  private Server startStore() throws Exception {
    String url = "http://127.0.0.1:" + Machine.freePort();
    List<String> command = Machine.storeCommand();
    command.addAll(
        List.of(
            "--data-dir=" + folder.resolve("data"),
            "--listen-client-urls=" + url,
            "--prefix-quota-bytes=/registry/events/=67108864",
            // Many are slow then: the disk alone takes longer.
            "--slow-request-threshold=1ms"));
    return Server.start(
        command, Map.of(), URI.create(url + "/readyz"), folder.resolve("store.log"));
  }

  /**
   * With a ControlPlane of which it makes certificates, since there is a default StorageClass. No
   * volume comes, so its pods never run.
   */
  private Server startOperator() throws Exception {
    try (Stream<Path> files = Files.list(Path.of(Machine.environment(CRDS)))) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString().replaceFirst("\\.yaml$", "");
        apply(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + name,
            Files.readString(file));
      }
    }
    apply("/apis/storage.k8s.io/v1/storageclasses/none", STORAGE_CLASS);
    String planes = "/apis/exaplane.io/v1alpha1/namespaces/%s/controlplanes/demo";
    URI served = controlPlane.uri("/apis/exaplane.io/v1alpha1/controlplanes");
    Await.until(
        Duration.ofMinutes(3),
        "ControlPlanes are served",
        () -> Http.get(served).statusCode() == 200,
        () -> Http.get(served).body());
    apply(planes.formatted("default"), Files.readString(Path.of(Machine.environment(SAMPLE))));
    int port = Machine.freePort();
    List<String> words =
        new ArrayList<>(List.of(Machine.environment("EXA_OPERATOR").trim().split(" +")));
    words.add(1, "-Dquarkus.http.port=" + port);
    String context = "\"cluster\":\"c\",\"user\":\"u\"";
    Path kubeconfig =
        Files.writeString(
            folder.resolve("operator.kubeconfig"),
            Files.readString(controlPlane.kubeconfig())
                .replace(context, context + ",\"namespace\":\"" + OPERATOR_NAMESPACE + "\""));
    return controlPlane.start(
        "operator",
        words,
        Map.of(
            "HOSTNAME", "operator",
            "QUARKUS_HTTP_HOST", "127.0.0.1",
            "KUBECONFIG", kubeconfig.toString()),
        URI.create("http://127.0.0.1:" + port + "/q/health/live"));
  }

  /**
   * A root that places pods under its own name, without a tree. The young part of its heap is so
   * small that this little work fills it several times a minute.
   */
  private Server startRoot() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("root.json"),
            """
            {"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",
             "profiles":[{"schedulerName":"%s"}]}
            """
                .formatted(MonitoredLoad.OTHER_SCHEDULER));
    int port = Machine.freePort();
    List<String> words =
        new ArrayList<>(List.of(Machine.environment("EXA_SCHEDULER").trim().split(" +")));
    words.add(1, "-Xmn4m");
    words.add("--kubeconfig=" + controlPlane.kubeconfig());
    words.add("--config=" + config);
    return controlPlane.start(
        "root",
        words,
        Map.of("EXAPLANE_HTTP_PORT", "" + port),
        URI.create("http://127.0.0.1:" + port + "/q/health/ready"));
  }

  /** A pod that stands for a process on loopback. */
  private void pod(String namespace, String name, String labels, String port, URI page)
      throws Exception {
    String pods = "/api/v1/namespaces/" + namespace + "/pods";
    controlPlane.create(
        pods,
        """
        {"metadata":{"name":"%s","labels":{%s}},
         "spec":{"nodeName":"node-0","containers":[{"name":"c","image":"none",
           "ports":[{"name":"%s","containerPort":%d}]}]}}
        """
            .formatted(name, labels, port, page.getPort()));
    apply(
        pods + "/" + name + "/status",
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
         "status":{"phase":"Running","podIP":"127.0.0.1","podIPs":[{"ip":"127.0.0.1"}]}}
        """
            .formatted(name));
  }

  private static String namespace(String name) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
        .formatted(name);
  }

  private void apply(String path, String manifest) throws Exception {
    HttpResponse<String> answer =
        Http.apply(controlPlane.uri(path + "?fieldManager=test&force=true"), manifest);
    if (answer.statusCode() / 100 != 2) {
      throw new AssertionError(path + ": " + answer.body());
    }
  }

  /** The API by which Prometheus finds pods. */
  URI api() {
    return controlPlane.uri("");
  }

  /** What the load could not do. */
  String trouble() {
    return load.trouble();
  }

  @Override
  public void close() {
    if (load != null) {
      load.close();
    }
    if (controlPlane != null) {
      controlPlane.close();
    }
    if (store != null) {
      store.close();
    }
  }
}
