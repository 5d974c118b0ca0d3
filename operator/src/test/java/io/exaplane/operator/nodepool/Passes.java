// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.operator.hosted.HostedCalls;
import io.exaplane.operator.management.Taken;
import io.exaplane.operator.nodepool.NodePools.SetClock;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.address.NodeTurn;
import io.exaplane.operator.nodepool.agents.PoolAgents.Seen;
import io.exaplane.operator.nodepool.condition.Beating;
import io.exaplane.operator.nodepool.condition.Material;
import io.exaplane.operator.nodepool.hosted.NodeCalls;
import io.exaplane.operator.nodepool.hosted.PoolTokens;
import io.exaplane.operator.nodepool.observe.PoolObserved;
import io.exaplane.operator.nodepool.observe.PoolObserver;
import io.exaplane.operator.nodepool.repair.RepairPlan;
import io.exaplane.operator.nodepool.status.NodePoolStatusReporter;
import io.exaplane.operator.nodepool.upgrade.UpgradePlan;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.Recorders;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** Passes over the pool workers of the control plane demo, between two API servers in memory. */
final class Passes {
  static final String SECRET = "/api/v1/namespaces/ns/secrets/workers-node-join";
  static final String KUBECONFIG = "/api/v1/namespaces/ns/secrets/demo-admin-kubeconfig";
  static final String TUNING = "/api/v1/namespaces/ns/configmaps/demo-tuning";
  static final String CONTROLLERS =
      "/apis/apps/v1/namespaces/ns/deployments/demo-controller-manager";
  static final String HEARTBEATS =
      "/api/v1/namespaces/kube-system/configmaps/exaplane-heartbeats-workers";
  static final String NODES = "/api/v1/nodes/";
  static final String TOKENS = "/api/v1/namespaces/kube-system/secrets/";
  static final String POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmission";
  static final String PROXIER =
      "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/exaplane-node-proxier";

  boolean isConnected = true;
  final SetClock clock = new SetClock();
  final MemoryCluster management = new MemoryCluster();
  final MemoryCluster hosted = new MemoryCluster();
  final EventRecorder events = Recorders.of(management.client(), clock);
  final PoolTokens tokens =
      new PoolTokens(
          _ -> isConnected ? Optional.of(hosted.client()) : Optional.empty(),
          new HostedCalls(Duration.ofSeconds(20), clock),
          clock,
          new Random(3));
  private final NodeCalls calls =
      new NodeCalls(
          _ -> isConnected ? Optional.of(hosted.client()) : Optional.empty(),
          new HostedCalls(Duration.ofSeconds(20), clock),
          clock);
  final HeartbeatStep heartbeats = new HeartbeatStep(calls, clock);
  final RepairStep repairs = new RepairStep(calls, events, clock);
  final UpgradeStep upgrades = new UpgradeStep(calls, events, clock);
  Optional<Beating> beating = Optional.empty();
  Optional<RepairPlan> repair = Optional.empty();
  Optional<UpgradePlan> upgrade = Optional.empty();
  boolean areNodesKnown = true;
  private final PoolObserver observer =
      new PoolObserver(() -> List.of(new Taken("Services", "fd00:10:96::/112")), clock);
  private final JoinStep join = new JoinStep(tokens, events);

  Optional<ControlPlane> controlPlane = Optional.of(NodePools.controlPlane(""));
  NodePool pool = NodePools.pool("maxNodes: 10, " + NodePools.ADDRESSES);
  Optional<NodeCounts> counts = Optional.of(NodeCounts.none());
  Seen agents = Seen.NOTHING;

  Passes() throws IOException {
    management.put(
        KUBECONFIG,
        new SecretBuilder()
            .withNewMetadata()
            .withName("demo-admin-kubeconfig")
            .withNamespace("ns")
            .endMetadata()
            .addToData("kubeconfig", base64(kubeconfig("https://[2001:db8::1]:6443")))
            .build());
    management.put(
        TUNING,
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("demo-tuning")
            .withNamespace("ns")
            .endMetadata()
            .addToData("kubelet.yaml", "kind: KubeletConfiguration\nnodeLeaseDurationSeconds: 80\n")
            .build());
    gracePeriod("1m40s", 2);
  }

  /** What the tuning model says of Leases. */
  void lease(int seconds) {
    management.put(
        TUNING,
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("demo-tuning")
            .withNamespace("ns")
            .endMetadata()
            .addToData("kubelet.yaml", "nodeLeaseDurationSeconds: " + seconds)
            .build());
  }

  /** kube-controller-manager with that grace period; of two pods, so many have it. */
  void gracePeriod(String duration, int updated) {
    management.put(
        CONTROLLERS,
        new DeploymentBuilder()
            .withNewMetadata()
            .withName("demo-controller-manager")
            .withNamespace("ns")
            .withGeneration(3L)
            .endMetadata()
            .withNewSpec()
            .withNewTemplate()
            .withNewSpec()
            .addNewContainer()
            .withCommand("kube-controller-manager", "--node-monitor-grace-period=" + duration)
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .withNewStatus()
            .withObservedGeneration(3L)
            .withReplicas(2)
            .withUpdatedReplicas(updated)
            .endStatus()
            .build());
  }

  static String kubeconfig(String server) {
    return "clusters: [{cluster: {server: '%s', certificate-authority-data: %s}}]"
        .formatted(
            server, base64("-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"));
  }

  static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes());
  }

  PoolObserved observe() {
    return observer.observe(pool, controlPlane, Stream.of(pool), management.client());
  }

  /** One pass; its status becomes the pool's. */
  NodePoolStatus pass() {
    PoolObserved observed = observe();
    Outcomes outcomes = new Outcomes();
    Material material = join.carryOut(observed, management.client(), outcomes);
    NodePoolStatusReporter reporter = new NodePoolStatusReporter(pool, clock);
    beating = heartbeats.carryOut(observed, counts, outcomes);
    reporter.heartbeats(beating);
    repair = repairs.carryOut(observed, counts, outcomes);
    reporter.repair(repair);
    upgrade = upgrades.carryOut(observed, this::turns, outcomes);
    reporter.upgrade(upgrade);
    NodePoolStatus status =
        reporter.status(observed, material, counts, agents, outcomes.refusals());
    pool.setStatus(status);
    return status;
  }

  /** The Nodes of the hosted cluster, as the watch shows them. */
  Optional<List<NodeTurn>> turns() {
    return areNodesKnown
        ? Optional.of(
            hosted.below(NODES).stream()
                .map(path -> NodeTurn.of(hosted.get(path, Node.class)))
                .toList())
        : Optional.empty();
  }

  /** The condition of the last pass, as "False/Reason". */
  String condition(NodePoolCondition type) {
    Condition found = find(type);
    return found.status() + "/" + found.reason();
  }

  String message(NodePoolCondition type) {
    return find(type).message();
  }

  private Condition find(NodePoolCondition type) {
    return pool.getStatus().conditions().stream()
        .filter(condition -> condition.type().equals(type.name()))
        .findFirst()
        .orElseThrow();
  }

  Secret secret() {
    return management.get(SECRET, Secret.class);
  }

  String script() {
    return new String(Base64.getDecoder().decode(secret().getData().get("join.sh")));
  }

  /** The control plane with another spec and status. */
  void controlPlane(String spec, String status) {
    controlPlane = Optional.of(NodePools.controlPlane(spec, status));
  }

  /** The same pool with another spec. */
  void spec(String spec) {
    NodePool changed = NodePools.pool(spec);
    changed.setStatus(pool.getStatus());
    pool = changed;
  }

  /** What was told, once all of it is written. */
  List<String> told() throws InterruptedException {
    Recorders.close(events);
    return management.events();
  }

  /** Ends both, once all is told. */
  void close() throws InterruptedException {
    Recorders.close(events);
    management.close();
    hosted.close();
  }
}
