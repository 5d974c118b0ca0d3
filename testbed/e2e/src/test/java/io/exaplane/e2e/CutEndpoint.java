// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.GuardAct;
import io.exaplane.api.v1alpha1.GuardStatus.Decision;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The published endpoint is cut while nodes are joined through it: no node is declared dead, no pod
 * is evicted, and all is undone after. A single dead node is treated as dead. The control plane is
 * made with a node port, so that no server is replaced for one; it mostly waits.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class CutEndpoint {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private static final String MGMT = "--net=/var/run/netns/exa-mgmt";
  private static final String FREEZE = "exaplane-node-freeze";

  private static final String SPEC =
      """
        endpoint: {type: NodePort}
        apiServer: {replicas: 1, tuning: {shutdownDelay: 1s}, resources: {requests: {cpu: 20m, memory: 512Mi}}}
        controllerManager: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
        scheduler: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
        rollout: {minReadySeconds: 1}
        storage:
          deletion: Delete
          stores:
          - {name: default, resources: {requests: {cpu: 15m, memory: 256Mi}}}
          - {name: events, criticality: BestEffort, resources: {requests: {cpu: 5m, memory: 128Mi}}}
      """;

  /** How old each Lease is at least before the way is open again. */
  private final Duration cut;

  private final List<String> hosts;
  private Scratch scratch;
  private KubernetesClient inside;

  /**
   * Of a size.
   *
   * @param cut more than the 50 s after which kube-controller-manager acts, with 5 s between looks
   * @param hosts that join; the last one dies
   */
  CutEndpoint(Duration cut, String... hosts) {
    this.cut = cut;
    this.hosts = List.of(hosts);
  }

  private String dying() {
    return hosts.getLast();
  }

  @BeforeAll
  void nodesJoinThroughANodePort() {
    scratch = new Scratch("cut-" + hosts.size(), Bed.VERSION, SPEC);
    scratch.awaitSettled(PATIENCE);
    assertThat(get().getStatus().endpoint().port()).isGreaterThanOrEqualTo(30000);
    inside = insideClient();
    hosts.forEach(host -> Bed.exa("host", "add", host, scratch.name + "." + scratch.namespace));
    scratch.hosted(
        "create",
        "deployment",
        "kept",
        "--image=exaplane/busybox:1",
        "--replicas=" + hosts.size(),
        "--",
        "sh",
        "-c",
        "sleep 1000000");
    scratch.hosted("wait", "--for=condition=Available", "deployment/kept", "--timeout=300s");
    // A kubelet makes its Lease some seconds after its node, and renews it every ten.
    Bed.await(
        "every node has a Lease",
        PATIENCE,
        () -> hosts.stream().allMatch(host -> lease(host).isPresent()));
  }

  /** What one test leaves when it fails is not the next one's. */
  @AfterEach
  void theWayIsOpen() {
    heal();
  }

  @AfterAll
  void back() {
    heal();
    signal(dying(), "CONT");
    hosts.forEach(host -> Bed.exa("host", "remove", host));
    if (inside != null) {
      inside.close();
    }
    scratch.close();
  }

  private ControlPlane get() {
    return Bed.controlPlane(scratch.name, scratch.namespace);
  }

  private Condition awaitEvictions(String allowed) {
    return Bed.awaitCondition(
        scratch.name, scratch.namespace, ConditionType.NodeEvictionsAllowed, allowed, PATIENCE);
  }

  @Test
  @Order(1)
  void aCutEndpointEvictsNobody() {
    List<String> before = pods();
    cutTheWay();
    assertThat(awaitEvictions("False").reason()).isEqualTo("EndpointUnreachable");
    Bed.await(
        "kube-controller-manager would have acted",
        PATIENCE,
        () -> hosts.stream().allMatch(host -> leaseAge(host).compareTo(cut) > 0));
    for (String host : hosts) {
      assertThat(isReady(host)).as(host).isTrue();
      assertThat(isEvicting(host)).as(host).isFalse();
    }
    assertThat(pods()).isEqualTo(before);
    heal();
    awaitEvictions("True");
    Bed.await(
        "the freeze is undone",
        PATIENCE,
        () ->
            inside.resources(ValidatingAdmissionPolicyBinding.class).withName(FREEZE).get()
                == null);
    scratch.awaitSettled(PATIENCE);
    Bed.await("the nodes are ready", PATIENCE, () -> hosts.stream().allMatch(this::isReady));
    Bed.awaitHolds(
        PATIENCE,
        () -> {
          assertThat(pods()).isEqualTo(before);
          assertThat(acts()).endsWith(GuardAct.Froze, GuardAct.Thawed);
        });
  }

  @Test
  @Order(2)
  void aSingleDeadNodeIsTreatedAsDead() {
    int decisions = acts().size();
    signal(dying(), "STOP");
    Bed.await("the node is tainted", PATIENCE, () -> isEvicting(dying()));
    assertThat(isReady(dying())).isFalse();
    assertThat(isReady(hosts.getFirst())).isTrue();
    assertThat(acts()).as("the guard stays quiet").hasSize(decisions);
    signal(dying(), "CONT");
    Bed.await("the node is back", PATIENCE, () -> isReady(dying()) && !isEvicting(dying()));
  }

  private List<GuardAct> acts() {
    return get().getStatus().guard() == null
        ? List.of()
        : get().getStatus().guard().decisions().stream().map(Decision::act).toList();
  }

  /** By the address inside the management cluster, which is not cut. */
  private KubernetesClient insideClient() {
    String kubeconfig =
        Bed.kubectl(
            "-n",
            scratch.namespace,
            "get",
            "secret",
            scratch.name + "-admin-kubeconfig",
            "-o",
            "go-template={{.data.kubeconfig | base64decode}}");
    String address = get().getStatus().service().clusterIPs().getFirst();
    String host = address.contains(":") ? "[" + address + "]" : address;
    return Hosted.connect(
        kubeconfig.replaceAll("server: \\S+", "server: https://" + host + ":6443"));
  }

  private void cutTheWay() {
    String port = get().getStatus().endpoint().port().toString();
    nft("add table ip6 exaplane_cut");
    nft("add chain ip6 exaplane_cut way { type filter hook prerouting priority raw ; }");
    nft("add rule ip6 exaplane_cut way tcp dport " + port + " drop");
  }

  private static void heal() {
    Bed.run(List.of("nsenter", MGMT, "nft", "delete table ip6 exaplane_cut"));
  }

  private static void nft(String command) {
    Bed.Run run = Bed.run(List.of("nsenter", MGMT, "nft", command));
    assertThat(run.exit()).as(run.output()).isZero();
  }

  private static void signal(String host, String name) {
    try {
      Path file = Bed.STATE.resolve("pids").resolve(host + ".kubelet.pid");
      String pid = Files.readString(file).split(" ")[0].strip();
      Bed.run(List.of("kill", "-" + name, pid));
    } catch (IOException e) {
      throw new AssertionError("the kubelet of " + host + " has no pid file", e);
    }
  }

  private Duration leaseAge(String host) {
    return Duration.between(lease(host).orElseThrow(), ZonedDateTime.now());
  }

  private Optional<ZonedDateTime> lease(String host) {
    return Optional.ofNullable(inside.leases().inNamespace("kube-node-lease").withName(host).get())
        .map(lease -> lease.getSpec().getRenewTime());
  }

  private boolean isReady(String host) {
    Node node = inside.nodes().withName(host).get();
    return node.getStatus().getConditions().stream()
        .anyMatch(each -> each.getType().equals("Ready") && each.getStatus().equals("True"));
  }

  private boolean isEvicting(String host) {
    return inside.nodes().withName(host).get().getSpec().getTaints().stream()
        .anyMatch(taint -> "NoExecute".equals(taint.getEffect()));
  }

  /** Those that run, with what says that they are ready. */
  private List<String> pods() {
    return inside.pods().inNamespace("default").withLabel("app", "kept").list().getItems().stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .map(CutEndpoint::text)
        .sorted()
        .toList();
  }

  private static String text(Pod pod) {
    return pod.getMetadata().getUid()
        + " ready="
        + pod.getStatus().getConditions().stream()
            .anyMatch(each -> each.getType().equals("Ready") && each.getStatus().equals("True"));
  }
}
