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
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The published endpoint is cut while nodes are joined through it: no node is declared dead, no pod
 * is evicted, and all is undone after. A single dead node is treated as dead. The control plane is
 * made with a node port, so that no server is replaced for one; it mostly waits.
 */
@Order(41)
@Tag("guard")
class GuardE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** kube-controller-manager acts after 50 s, and looks every 5 s. */
  private static final Duration LONG_DEAD = Duration.ofSeconds(75);

  private static final List<String> HOSTS = List.of("w4", "w5");
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

  private static Scratch scratch;
  private static KubernetesClient inside;

  @BeforeAll
  static void nodesJoinThroughANodePort() {
    scratch = new Scratch("cut", Bed.VERSION, SPEC);
    scratch.awaitSettled(PATIENCE);
    assertThat(get().getStatus().endpoint().port()).isGreaterThanOrEqualTo(30000);
    inside = insideClient();
    HOSTS.forEach(host -> Bed.exa("host", "add", host, scratch.name + "." + scratch.namespace));
    scratch.hosted(
        "create",
        "deployment",
        "kept",
        "--image=exaplane/busybox:1",
        "--replicas=2",
        "--",
        "sh",
        "-c",
        "sleep 1000000");
    scratch.hosted("wait", "--for=condition=Available", "deployment/kept", "--timeout=300s");
    // A kubelet makes its Lease some seconds after its node, and renews it every ten.
    Bed.await(
        "every node has a Lease",
        PATIENCE,
        () -> HOSTS.stream().allMatch(host -> lease(host).isPresent()));
  }

  /** What one test leaves when it fails is not the next one's. */
  @AfterEach
  void theWayIsOpen() {
    heal();
  }

  @AfterAll
  static void back() {
    heal();
    signal("w5", "CONT");
    HOSTS.forEach(host -> Bed.exa("host", "remove", host));
    if (inside != null) {
      inside.close();
    }
    scratch.close();
  }

  private static ControlPlane get() {
    return Bed.controlPlane(scratch.name, scratch.namespace);
  }

  private static Condition awaitEvictions(String allowed) {
    return Bed.awaitCondition(
        scratch.name, scratch.namespace, ConditionType.NodeEvictionsAllowed, allowed, PATIENCE);
  }

  @Test
  @Order(1)
  void aCutEndpointEvictsNobody() {
    List<String> before = pods();
    cut();
    assertThat(awaitEvictions("False").reason()).isEqualTo("EndpointUnreachable");
    Bed.await(
        "kube-controller-manager would have acted",
        PATIENCE,
        () -> HOSTS.stream().allMatch(host -> leaseAge(host).compareTo(LONG_DEAD) > 0));
    for (String host : HOSTS) {
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
    Bed.await("the nodes are ready", PATIENCE, () -> HOSTS.stream().allMatch(GuardE2E::isReady));
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
    signal("w5", "STOP");
    Bed.await("the node is tainted", PATIENCE, () -> isEvicting("w5"));
    assertThat(isReady("w5")).isFalse();
    assertThat(isReady("w4")).isTrue();
    assertThat(acts()).as("the guard stays quiet").hasSize(decisions);
    signal("w5", "CONT");
    Bed.await("the node is back", PATIENCE, () -> isReady("w5") && !isEvicting("w5"));
  }

  private static List<GuardAct> acts() {
    return get().getStatus().guard() == null
        ? List.of()
        : get().getStatus().guard().decisions().stream().map(Decision::act).toList();
  }

  /** By the address inside the management cluster, which is not cut. */
  private static KubernetesClient insideClient() {
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

  private static void cut() {
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

  private static Duration leaseAge(String host) {
    return Duration.between(lease(host).orElseThrow(), ZonedDateTime.now());
  }

  private static Optional<ZonedDateTime> lease(String host) {
    return Optional.ofNullable(inside.leases().inNamespace("kube-node-lease").withName(host).get())
        .map(lease -> lease.getSpec().getRenewTime());
  }

  private static boolean isReady(String host) {
    Node node = inside.nodes().withName(host).get();
    return node.getStatus().getConditions().stream()
        .anyMatch(each -> each.getType().equals("Ready") && each.getStatus().equals("True"));
  }

  private static boolean isEvicting(String host) {
    return inside.nodes().withName(host).get().getSpec().getTaints().stream()
        .anyMatch(taint -> "NoExecute".equals(taint.getEffect()));
  }

  /** Those that run, with what says that they are ready. */
  private static List<String> pods() {
    return inside.pods().inNamespace("default").withLabel("app", "kept").list().getItems().stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .map(GuardE2E::text)
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
