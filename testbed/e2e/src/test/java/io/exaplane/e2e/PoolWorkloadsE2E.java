// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users run, placed by the demo's pool on two nodes with real kubelets. */
@Order(37)
@Tag("pool")
class PoolWorkloadsE2E {
  private static final String SECOND = "w2";
  private static final String NAMESPACE = "workloads";
  private static final String TEMPLATE =
      """
        selector: {matchLabels: {app: %1$s}}
        template:
          metadata: {labels: {app: %1$s}}
          spec:
            terminationGracePeriodSeconds: 0
            containers:
            - name: c
              image: exaplane/busybox:1
              command: [sleep, "1000000"]
      """;

  private static final String WEB =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, namespace: workloads}
      spec:
        replicas: 4
        strategy: {rollingUpdate: {maxUnavailable: 0, maxSurge: 1}}
      %s
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: kubernetes.io/hostname
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {app: web}}
              matchLabelKeys: [pod-template-hash]
      """;

  private static final String AGENT =
      """
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: agent, namespace: workloads}
      spec:
      %s
      """;

  private static final String STORAGE_CLASS =
      """
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: {name: workloads-local, labels: {test: workloads}}
      provisioner: kubernetes.io/no-provisioner
      volumeBindingMode: WaitForFirstConsumer
      """;

  private static final String DB =
      """
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: db, namespace: workloads}
      spec:
        replicas: 2
        serviceName: db
      %s
              volumeMounts: [{name: data, mountPath: /data}]
        volumeClaimTemplates:
        - metadata: {name: data}
          spec:
            accessModes: [ReadWriteOnce]
            storageClassName: workloads-local
            resources: {requests: {storage: 1Gi}}
      """;

  private static final String PRIORITY_CLASS =
      """
      apiVersion: scheduling.k8s.io/v1
      kind: PriorityClass
      metadata: {name: workloads-important, labels: {test: workloads}}
      value: 1000
      """;

  @TempDir private static Path folder;

  /** What the tests look at comes up together. */
  @BeforeAll
  static void twoNodesWithWorkloads() throws Exception {
    DemoPool.inCharge();
    Bed.exa("host", "add", SECOND, Demo.NAME + "." + Demo.NAMESPACE);
    Demo.hosted("create", "namespace", NAMESPACE);
    apply(
        WEB.formatted(template("web")),
        AGENT.formatted(template("agent")),
        STORAGE_CLASS,
        volume("w1"),
        volume(SECOND),
        DB.formatted(template("db")),
        pod("gated", "schedulingGates: [{name: example.org/wait}]", "10m"),
        pod("after", "", "10m"));
  }

  @AfterAll
  static void oneNode() {
    Demo.hosted("delete", "namespace", NAMESPACE, "--wait=false");
    Bed.await(
        "no pod is left on the node that goes",
        DemoPool.PATIENCE,
        () -> Demo.client().pods().inNamespace(NAMESPACE).list().getItems().isEmpty());
    Demo.hosted(
        "delete", "pv,storageclass,priorityclass", "--selector=test=workloads", "--wait=false");
    Bed.exa("host", "remove", SECOND);
    Demo.hosted("delete", "node", SECOND);
  }

  @Test
  @Order(1)
  void aDeploymentIsRolledOutWithoutAGap() throws Exception {
    rolledOut("deployment/web");
    in("set", "env", "deployment/web", "ROUND=2");
    rolledOut("deployment/web");
    run("app=web", "w1", "w1", SECOND, SECOND);
  }

  @Test
  @Order(2)
  void aDaemonSetHasAPodOnEachNode() throws Exception {
    rolledOut("daemonset/agent");
    run("app=agent", "w1", SECOND);
  }

  /** Each volume is on one node; what a replica wrote it finds again when it comes back. */
  @Test
  @Order(3)
  void aStatefulSetComesBackToItsLocalVolumes() throws Exception {
    rolledOut("statefulset/db");
    run("app=db", "w1", SECOND);
    String node = nodesOf("statefulset.kubernetes.io/pod-name=db-0").getFirst();
    Bed.awaitHolds(
        DemoPool.PATIENCE, () -> in("exec", "db-0", "--", "sh", "-c", "echo kept >/data/file"));
    in("delete", "pod", "db-0", "--wait");
    rolledOut("statefulset/db");
    Bed.awaitHolds(
        DemoPool.PATIENCE,
        () -> assertThat(in("exec", "db-0", "--", "cat", "/data/file")).contains("kept"));
    run("statefulset.kubernetes.io/pod-name=db-0", node);
  }

  private static String volume(String node) throws Exception {
    Path data = Files.createDirectories(folder.resolve(node));
    return """
        apiVersion: v1
        kind: PersistentVolume
        metadata: {name: workloads-%1$s, labels: {test: workloads}}
        spec:
          capacity: {storage: 10Gi}
          accessModes: [ReadWriteOnce]
          persistentVolumeReclaimPolicy: Retain
          storageClassName: workloads-local
          local: {path: %2$s}
          nodeAffinity:
            required:
              nodeSelectorTerms:
              - matchExpressions:
                - {key: kubernetes.io/hostname, operator: In, values: [%1$s]}
        """
        .formatted(node, data);
  }

  @Test
  @Order(4)
  void aGateThatIsLiftedLateLetsAPodRun() throws Exception {
    ready("after");
    assertThat(in("get", "pod", "gated", "--output=jsonpath={.spec.nodeName}")).isEmpty();
    in("patch", "pod", "gated", "--type=merge", "--patch={\"spec\":{\"schedulingGates\":null}}");
    ready("gated");
  }

  @Test
  @Order(5)
  void anImportantPodRunsInPlaceOfAnother() throws Exception {
    String most = cpuOfMost();
    apply(PRIORITY_CLASS, pod("low-1", "", most), pod("low-2", "", most));
    ready("low-1");
    ready("low-2");
    apply(pod("important", "priorityClassName: workloads-important", most));
    ready("important");
    Bed.awaitHolds(
        DemoPool.PATIENCE,
        () -> {
          String gone = in("get", "events", "--field-selector=reason=Preempted");
          assertThat(gone).containsPattern("pod/low-[12]").contains("Preempted by pod");
          assertThat(in("get", "pods", "--output=name").lines().filter(n -> n.contains("low-")))
              .hasSize(1);
        });
    in("delete", "pods", "--selector=app=alone", "--now");
  }

  /** Two thirds of a node: two pods of it are on two nodes. */
  private static String cpuOfMost() {
    String cpus = Demo.hosted("get", "node", "w1", "--output=jsonpath={.status.allocatable.cpu}");
    int milli =
        cpus.endsWith("m")
            ? Integer.parseInt(cpus.replace("m", ""))
            : 1000 * Integer.parseInt(cpus);
    return milli * 2 / 3 + "m";
  }

  private static String pod(String name, String spec, String cpu) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s, namespace: workloads, labels: {app: alone}}
    spec:
      %s
      terminationGracePeriodSeconds: 0
      containers:
      - name: c
        image: exaplane/busybox:1
        command: [sleep, "1000000"]
        resources: {requests: {cpu: %s}}
    """
        .formatted(name, spec, cpu);
  }

  private static String template(String app) {
    return TEMPLATE.formatted(app).stripTrailing();
  }

  private static void apply(String... manifests) throws Exception {
    Path file = Files.createTempFile(folder, "manifests", ".yaml");
    Files.writeString(file, String.join("---\n", manifests));
    Demo.hosted("apply", "--filename=" + file);
  }

  private static void rolledOut(String workload) {
    in("rollout", "status", workload, "--timeout=300s");
  }

  private static void ready(String pod) {
    in("wait", "--for=condition=Ready", "pod/" + pod, "--timeout=300s");
  }

  /** Waits until the pods that run are on these nodes; those that go may run a little longer. */
  private static void run(String labels, String... nodes) {
    Bed.await(
        labels + " run on " + List.of(nodes),
        DemoPool.PATIENCE,
        () -> nodesOf(labels).equals(List.of(nodes)),
        () -> in("get", "pods", "--output=wide"));
  }

  /** Those that pods run on, sorted. */
  private static List<String> nodesOf(String labels) {
    return Demo.client()
        .pods()
        .inNamespace(NAMESPACE)
        .withLabelSelector(labels)
        .list()
        .getItems()
        .stream()
        .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
        .map(pod -> pod.getSpec().getNodeName())
        .sorted()
        .toList();
  }

  private static String in(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "--namespace=" + NAMESPACE;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return Demo.hosted(all);
  }
}
