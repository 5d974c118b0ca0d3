// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator of an earlier commit makes objects, and today's takes them over: it writes statuses,
 * notes and nothing else, until somebody asks for something. Pods are ready as far as Kubernetes
 * knows, and nobody runs them.
 */
@Tag("long")
class FormerOperatorProcessTest {
  private static final String NAMESPACE = "former";
  private static final int PLANES = 2;
  private static final Duration MOST = Duration.ofMinutes(10);
  private static final Duration INTERVAL = Duration.ofSeconds(20);

  /** Of each control plane, during which nothing is another object. */
  private static final int LOOKS = 4;

  /** Nothing follows from these. */
  private static final String OF_STATUS = ".*/(status|events)(/.*|\\?.*)?";

  /** The operator's own notes of which version made what, and its advice: no pod reads them. */
  private static final String NOTES = "ConfigMap/.*-(bundle|tuning)";

  private static final String OF_NOTES = ".*/configmaps/[a-z-]+-(bundle|tuning)(\\?.*)?";

  /** The operator's own guards of its definitions, which know more than those of before. */
  private static final String OF_GUARDS =
      "patch .*/validatingadmissionpolic(ies|ybindings)/exaplane-deletion-protection-.*";

  /** Keys of a pair with its CA. */
  private static final Set<String> PAIR = Set.of("tls.crt", "tls.key", "ca.crt");

  /** As of users who have a bit of everything. */
  private static final List<String> OBJECTS =
      List.of(
          """
          apiVersion: exaplane.io/v1alpha1
          kind: ControlPlane
          metadata: {name: demo, namespace: former}
          spec: {version: VERSION, maxNodes: 10}
          """,
          """
          apiVersion: exaplane.io/v1alpha1
          kind: ControlPlane
          metadata: {name: large, namespace: former}
          spec:
            version: VERSION
            maxNodes: 1000
            network: {podCIDRs: ["fd00:1226::/48"]}
            endpoint: {certSANs: [api.large.example]}
            apiServer:
              replicas: 3
              extraArgs: [{name: event-ttl, value: 2h}]
            scheduling: {mode: Pool, poolRef: {name: large}}
            storage:
              stores:
              - {name: default, storage: {size: 20Gi}}
              - name: leases
                storage: {type: EmptyDirLosesDataWithPod}
              - {name: events, criticality: BestEffort}
              routes:
              - store: leases
                resources: [{group: coordination.k8s.io, resource: leases}]
              - store: events
                resources: [{group: "", resource: events}, {group: events.k8s.io, resource: events}]
          """,
          """
          apiVersion: exaplane.io/v1alpha1
          kind: SchedulerPool
          metadata: {name: large, namespace: former}
          spec: {controlPlaneRef: {name: large}}
          """,
          """
          apiVersion: exaplane.io/v1alpha1
          kind: NodePool
          metadata: {name: workers, namespace: former}
          spec:
            controlPlaneRef: {name: demo}
            maxNodes: 5
            addresses: {source: StaticPrefix, prefixes: ["2001:db8:1::/48"], podPrefixLength: 112}
          """);

  @TempDir private Path folder;

  @Test
  void whatAnEarlierOneMadeIsKept() throws Exception {
    Path tree = Path.of(Machine.environment("EXA_FORMER"));
    try (Management cluster = Management.start(folder, tree);
        BlackHole _ = BlackHole.of(Management.SERVICES)) {
      KubernetesClient client = cluster.client();
      create(client);
      try (ReadyPods _ = new ReadyPods(client, Set.of(NAMESPACE))) {
        Kept before;
        try (OperatorProcess former =
            operator(cluster, Machine.environment("EXA_FORMER_OPERATOR"), "operator-former")) {
          Watch watch = new Watch(cluster, former, MOST);
          watch.until("both control planes have their pods", () -> deployments(client) >= 5);
          standalone(client);
          watch.until("each store has its set", () -> sets(client) >= 5);
          before = settled(client, watch);
          former.stop();
        }
        int writes = cluster.auditLog().count();
        cluster.install(Management.TODAY);
        try (OperatorProcess today =
            operator(cluster, Machine.environment("EXA_OPERATOR"), "operator-today")) {
          Watch watch = new Watch(cluster, today, MOST);
          watch.until("it leads", () -> today.readyAs().equals("leader"));
          Kept after = settled(client, watch);
          Set<String> lost = before.lostIn(after);
          System.out.printf(
              "%d objects, with others: %s%n%s%n",
              before.objects().size(), lost, before.objects().keySet());
          lost.removeIf(name -> name.matches(NOTES));
          assertThat(lost)
              .as("before: %s%nafter: %s", before.text(lost), after.text(lost))
              .isEmpty();
          assertThat(cluster.auditLog().after(writes))
              .as("writes of today's operator, before anybody asks for something")
              .allMatch(
                  write ->
                      write.matches(OF_STATUS)
                          || write.matches(OF_NOTES)
                          || write.matches(OF_GUARDS));
          carriesOut(client, watch);
        }
      }
    }
  }

  private OperatorProcess operator(Management cluster, String words, String name) throws Exception {
    return OperatorProcess.start(
        words,
        name,
        folder,
        cluster.operatorKubeconfig(),
        Management.shippedLimitBytes(),
        INTERVAL);
  }

  private static void create(KubernetesClient client) {
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
    for (String object : OBJECTS) {
      client.resource(object.replace("VERSION", Kubernetes.version())).create();
    }
  }

  /** A store of nobody's, with the certificate of another one. */
  private static void standalone(KubernetesClient client) {
    Secret pair =
        client.secrets().inNamespace(NAMESPACE).list().getItems().stream()
            .filter(secret -> secret.getData().keySet().containsAll(PAIR))
            .findFirst()
            .orElseThrow();
    client
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withName("standalone-tls")
                .withNamespace(NAMESPACE)
                .addToLabels("app.kubernetes.io/managed-by", "exaplane")
                .addToLabels("exaplane.io/store-shard", "standalone")
                .endMetadata()
                .withData(pair.getData())
                .build())
        .create();
    client
        .resource(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: standalone, namespace: former}
            spec: {tls: {secretRef: {name: standalone-tls}}}
            """)
        .create();
  }

  /** What there is when the operator has looked several times and changed nothing of it. */
  private static Kept settled(KubernetesClient client, Watch watch) throws Exception {
    AtomicReference<Kept> seen = new AtomicReference<>(Kept.of(client, NAMESPACE));
    AtomicLong since = new AtomicLong(Long.MAX_VALUE);
    watch.until(
        "nothing changes but statuses",
        () -> {
          Kept now = Kept.of(client, NAMESPACE);
          if (!now.equals(seen.getAndSet(now))) {
            since.set(Long.MAX_VALUE);
          }
          // 0 while it does not tell; one that was started again counts from the beginning.
          long looks = watch.operator().looks();
          if (looks > 0 && looks < since.get()) {
            since.set(looks);
          }
          return looks - since.get() >= LOOKS * PLANES;
        });
    return seen.get();
  }

  private static int deployments(KubernetesClient client) {
    return client.apps().deployments().inNamespace(NAMESPACE).list().getItems().size();
  }

  private static int sets(KubernetesClient client) {
    return client.apps().statefulSets().inNamespace(NAMESPACE).list().getItems().size();
  }

  /** What somebody asks for then is done, to what the earlier one made. */
  private static void carriesOut(KubernetesClient client, Watch watch) throws Exception {
    var servers = client.apps().deployments().inNamespace(NAMESPACE).withName("large-apiserver");
    String uid = servers.get().getMetadata().getUid();
    client
        .resources(ControlPlane.class)
        .inNamespace(NAMESPACE)
        .withName("large")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"apiServer\":{\"replicas\":4}}}");
    watch.until("four servers are wanted", () -> servers.get().getSpec().getReplicas() == 4);
    assertThat(servers.get().getMetadata().getUid()).isEqualTo(uid);
  }
}
