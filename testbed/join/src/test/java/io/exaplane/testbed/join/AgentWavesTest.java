// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.api.v1alpha1.NodeAgentRef;
import io.exaplane.api.v1alpha1.NodeAgentsAdmissionMode;
import io.exaplane.api.v1alpha1.NodeAgentsGateSpec;
import io.exaplane.api.v1alpha1.NodeAgentsResume;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.hosted.MetricsPage;
import io.exaplane.operator.guard.GateReading;
import io.exaplane.operator.nodepool.address.ClusterPlan;
import io.exaplane.operator.nodepool.address.FollowedNodes;
import io.exaplane.operator.nodepool.address.PoolPlan;
import io.exaplane.operator.nodepool.agents.AgentPlan;
import io.exaplane.operator.nodepool.agents.AgentPlan.Policy;
import io.exaplane.operator.nodepool.agents.AgentPlan.PoolWaves;
import io.exaplane.operator.nodepool.agents.FollowedWaves;
import io.exaplane.operator.nodepool.agents.WaveReport;
import io.exaplane.operator.nodepool.heartbeat.Heartbeats;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent restarts on simulated nodes of a real kube-apiserver and a real controller of
 * DaemonSets: all at once, and in waves. Each test goes on from where the one before ended.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AgentWavesTest {
  private static final int NODES = Integer.getInteger("nodes", 200);
  private static final int PERCENT = Integer.getInteger("percent", 50);

  /** What restarts within a minute, at least, if all may; the server is the bound of many nodes. */
  private static final int STORM_PERCENT = NODES > 1_000 ? 10 : PERCENT;

  private static final String POOL = "edge";
  private static final NodeAgentRef AGENT = new NodeAgentRef("default", "agent");
  private static final String SETS = "/apis/apps/v1/namespaces/default/daemonsets";
  private static final String BINDING =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/exaplane-agents";
  private static final Duration PATIENCE =
      Duration.ofSeconds(150 + (long) NODES / 10 + 60L * 100 / PERCENT);

  /** As the operator sets it for nodes with such Leases. */
  private static final long GRACE_SECONDS =
      new Heartbeats(AgentNodes.leaseSeconds(), 10, 300).neededGraceSeconds();

  /** The goal of renewals while agents restart in waves, in milliseconds. */
  private static final long MOST_P99 = 1000;

  @TempDir static Path folder;
  private static Cluster cluster;
  private static KubernetesClient client;
  private static AgentNodes nodes;
  private static FollowedNodes seen;
  private static FollowedWaves operator;
  private static ScheduledExecutorService probe;
  private static final AtomicReference<GateReading> GATE = new AtomicReference<>();
  private static final AtomicReference<MetricsPage> PAGE = new AtomicReference<>();
  private static volatile double mostLists;

  @BeforeAll
  static void start() throws Exception {
    // By default, a controller sends 20 requests a second, so pods come one after another.
    cluster =
        Cluster.start(
            folder,
            "--kube-api-qps=1000",
            "--kube-api-burst=1000",
            "--node-monitor-grace-period=" + GRACE_SECONDS + "s");
    cluster.bind("agents", "cluster-admin", "system:serviceaccounts");
    client = cluster.client();
    // Whoever finds no ledger waits for a minute.
    cluster.made(
        "/api/v1/namespaces/kube-system/configmaps",
        "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\":"
            + " \"exaplane-agents-edge\"}, \"data\": {\"waves\": \"{}\"}}");
    nodes = AgentNodes.start("https://127.0.0.1:" + cluster.port(), client, NODES, POOL);
    probe = Executors.newSingleThreadScheduledExecutor();
    probe.scheduleWithFixedDelay(AgentWavesTest::look, 0, 2, TimeUnit.SECONDS);
    cluster.made(
        SETS,
        AgentManifests.agent("agent", "updateStrategy: {rollingUpdate: {maxUnavailable: 100%}}"));
    await("all agents are Ready", () -> ready() == NODES);
  }

  @AfterAll
  static void end() {
    if (operator != null) {
      operator.close();
    }
    if (seen != null) {
      seen.close();
    }
    if (probe != null) {
      probe.shutdownNow();
    }
    if (nodes != null) {
      nodes.close();
      client.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  /** What the operator's probe does; a page that cannot be read says nothing new. */
  private static void look() {
    try {
      MetricsPage page = MetricsPage.of(nodes.metrics());
      MetricsPage before = PAGE.getAndSet(page);
      if (before != null) {
        GATE.set(page.since(before));
        mostLists = Math.max(mostLists, page.listsPerSecond(before));
      }
    } catch (Exception e) {
      PAGE.set(null);
    }
  }

  private static JsonNode set() throws Exception {
    return cluster.got(SETS + "/agent");
  }

  private static int ready() throws Exception {
    return set().path("status").path("numberReady").asInt();
  }

  private static boolean isUpdated() throws Exception {
    JsonNode set = set();
    return set.path("status").path("observedGeneration").asLong()
            >= set.path("metadata").path("generation").asLong()
        && set.path("status").path("updatedNumberScheduled").asInt() == NODES
        && set.path("status").path("numberReady").asInt() == NODES;
  }

  private static void await(String what, Callable<Boolean> holds) throws Exception {
    Await.until(PATIENCE, what, holds::call, () -> set() + " " + nodes.failures());
  }

  private static void restart(String token) throws Exception {
    cluster.changed(
        SETS + "/agent",
        "{\"spec\": {\"template\": {\"metadata\": {\"annotations\": {\"restarted\": \"%s\"}}}}}"
            .formatted(token));
  }

  private static AgentPlan plan(List<NodeAgentRef> agents, Optional<Policy> policy) {
    return new AgentPlan(
        agents.isEmpty()
            ? List.of()
            : List.of(
                new PoolWaves(
                    POOL,
                    agents,
                    PERCENT,
                    new NodeAgentsGateSpec(1000, 1, 99, 1, 30, 1, 2),
                    NodeAgentsResume.Automatic,
                    "")),
        policy,
        "");
  }

  /**
   * The most that stopped within 50 seconds: of a wave of a busy server, the last deletion can come
   * seconds after it was sent, and the first one of the next wave at once.
   */
  private static int most(List<Instant> stops) {
    int most = 0;
    int from = 0;
    for (int i = 0; i < stops.size(); i++) {
      while (!stops.get(i).isBefore(stops.get(from).plusSeconds(50))) {
        from++;
      }
      most = Math.max(most, i - from + 1);
    }
    return most;
  }

  private static void measured(String how, Duration time, MetricsPage before) throws Exception {
    MetricsPage after = MetricsPage.of(nodes.metrics());
    System.out.printf(
        "%s: %d nodes in %d s; at most %d within a minute; LISTs at most %.0f/s; p99 of renewals %d"
            + " ms; 429s %.0f; not Ready: %d%n",
        how,
        NODES,
        time.toSeconds(),
        most(nodes.stops()),
        mostLists,
        nodes.renewalP99(),
        after.throttled(before),
        nodes.notReady().size());
  }

  /** Why waves are held; null if they are not. */
  private static Reason incident() {
    return operator
        .report(POOL)
        .flatMap(WaveReport::incident)
        .map(WaveReport.Incident::reason)
        .orElse(null);
  }

  @Test
  @Order(1)
  void withoutThePolicyAllRestartAtOnce() throws Exception {
    nodes.reset();
    mostLists = 0;
    MetricsPage before = MetricsPage.of(nodes.metrics());
    Instant began = Instant.now();
    restart("1");
    await("all restarted", AgentWavesTest::isUpdated);
    await("the probe saw that", () -> mostLists > 0);
    measured("all at once", Duration.between(began, Instant.now()), before);
    assertThat(most(nodes.stops())).isGreaterThan(NODES * STORM_PERCENT / 100);
  }

  @Test
  @Order(2)
  void aListedDaemonSetIsHeldAndSaysSo() throws Exception {
    ClusterPlan pools =
        new ClusterPlan(
            List.of(new PoolPlan(POOL, OptionalInt.empty(), List.of(), NODES)), List.of());
    seen = FollowedNodes.start(client, pools);
    operator =
        FollowedWaves.start(
            client,
            seen::nodes,
            () -> Optional.ofNullable(GATE.get()),
            plan(List.of(AGENT), Optional.empty()));
    await(
        "OnDelete",
        () -> set().path("spec").path("updateStrategy").path("type").asText().equals("OnDelete"));
    assertThat(set().path("metadata").path("annotations").path("exaplane.io/agent-waves").asText())
        .contains("remove this DaemonSet from spec.agents.daemonSets of NodePool edge");
    await("a report", () -> operator.report(POOL).isPresent());
  }

  @Test
  @Order(3)
  void withThePolicyNoMoreThanTheShareRestartsAndAnUnreadyWaveStopsTheNext() throws Exception {
    nodes.reset();
    nodes.stayUnready();
    mostLists = 0;
    MetricsPage before = MetricsPage.of(nodes.metrics());
    Instant began = Instant.now();
    restart("2");
    int half = NODES * PERCENT / 100;
    await("a wave", () -> nodes.stops().size() == half);
    operator.close();
    operator =
        FollowedWaves.start(
            client,
            seen::nodes,
            () -> Optional.ofNullable(GATE.get()),
            plan(List.of(AGENT), Optional.empty()));
    Instant share = nodes.stops().getLast().plusSeconds(62);
    await("the wave is an incident", () -> incident() == Reason.WaveNotReady);
    await("the share would allow another wave", () -> GATE.get().at().isAfter(share));
    assertThat(nodes.stops()).as("the wave that is not Ready stops the next one").hasSize(half);
    assertThat(incident()).isEqualTo(Reason.WaveNotReady);
    assertThat(operator.report(POOL).flatMap(WaveReport::wave).map(WaveReport.Now::zone))
        .contains("east");
    nodes.becomeReady();
    await("all restarted", AgentWavesTest::isUpdated);
    measured("in waves", Duration.between(began, Instant.now()), before);
    assertThat(nodes.stops()).hasSize(NODES);
    assertThat(most(nodes.stops())).isEqualTo(half);
    assertThat(nodes.notReady()).isEmpty();
    assertThat((double) nodes.renewalP99())
        .as("p99 of renewals in ms, on a machine of %.1f times its load", Machine.busyness())
        .isLessThan(MOST_P99 * Machine.busyness());
    assertThat(nodes.failures()).isEmpty();
    await(
        "told",
        () ->
            operator
                .report(POOL)
                .map(WaveReport::agents)
                .filter(agents -> agents.getFirst().updated() == NODES)
                .isPresent());
  }

  @Test
  @Order(4)
  void whatIsNotListedGetsItsStrategyBack() throws Exception {
    operator.plan(plan(List.of(), Optional.empty()));
    await("given back", operator::isGivenBack);
    await(
        "the strategy",
        () ->
            set()
                .path("spec")
                .path("updateStrategy")
                .path("type")
                .asText()
                .equals("RollingUpdate"));
    assertThat(set().path("metadata").path("annotations").has("exaplane.io/agent-waves")).isFalse();
    assertThat(
            set()
                .path("spec")
                .path("updateStrategy")
                .path("rollingUpdate")
                .path("maxUnavailable")
                .asText())
        .isEqualTo("100%");
  }

  private static Optional<Policy> policy(NodeAgentsAdmissionMode mode) {
    return Optional.of(new Policy(mode, 10, List.of("default/system"), List.of(POOL)));
  }

  @Test
  @Order(5)
  void aPolicyOfDenyRefusesAndSaysWhatToChange() throws Exception {
    operator.plan(plan(List.of(), policy(NodeAgentsAdmissionMode.Deny)));
    await("the policy", () -> operator.policyProblem().filter(String::isEmpty).isPresent());
    String bad =
        AgentManifests.agent("bad", "updateStrategy: {rollingUpdate: {maxUnavailable: 50%}}");
    AtomicReference<String> said = new AtomicReference<>("");
    await(
        "it is refused",
        () -> {
          said.set(cluster.refused(SETS + "?dryRun=All", bad));
          return !said.get().isEmpty();
        });
    assertThat(said.get())
        .contains("spec.template.spec.serviceAccountName: must name a ServiceAccount");
    assertThat(
            cluster.refused(SETS + "?dryRun=All", AgentManifests.good("50%", "15", "mine", "1m")))
        .contains("maxUnavailable: must be at most 10% or 1")
        .contains("set '10%', or set updateStrategy.type to OnDelete");
    assertThat(cluster.refused(SETS + "?dryRun=All", AgentManifests.good("2", "15", "mine", "1m")))
        .contains("maxUnavailable: must be at most 10% or 1");
    assertThat(cluster.refused(SETS + "?dryRun=All", AgentManifests.good("10%", "0", "mine", "1m")))
        .contains("spec.minReadySeconds: must be more than 0");
    assertThat(cluster.refused(SETS + "?dryRun=All", AgentManifests.good("10%", "15", "mine", "")))
        .contains("each must request CPU and memory");
    assertThat(
            cluster.refused(SETS + "?dryRun=All", AgentManifests.good("10%", "15", "mine", "1m")))
        .isEmpty();
    assertThat(
            cluster.refused(
                SETS + "?dryRun=All", AgentManifests.agent("system", "minReadySeconds: 0")))
        .as("exempt")
        .isEmpty();
    // Whoever deletes it removes a finalizer.
    cluster.changed(SETS + "/agent", "{\"metadata\": {\"labels\": {\"any\": \"change\"}}}");
    othersWarnOrSayNothing(bad);
    operator.plan(plan(List.of(), Optional.empty()));
    await("the policy goes", () -> cluster.got(BINDING).path("code").asInt() == 404);
    assertThat(cluster.refused(SETS + "?dryRun=All", bad)).isEmpty();
  }

  /** The same rules: a warning for the author, or a line of the audit log. */
  private static void othersWarnOrSayNothing(String bad) throws Exception {
    operator.plan(plan(List.of(), policy(NodeAgentsAdmissionMode.Warn)));
    String rule = "spec.template.spec.serviceAccountName: must name a ServiceAccount";
    await("a warning", () -> cluster.warned(SETS + "?dryRun=All", bad).contains(rule));
    assertThat(cluster.refused(SETS + "?dryRun=All", bad)).isEmpty();
    assertThat(cluster.warned(SETS + "?dryRun=All", AgentManifests.good("10%", "15", "mine", "1m")))
        .isEmpty();
    operator.plan(plan(List.of(), policy(NodeAgentsAdmissionMode.Audit)));
    await("no warning", () -> cluster.warned(SETS + "?dryRun=All", bad).isEmpty());
    assertThat(cluster.got(BINDING).path("spec").path("validationActions").path(0).asText())
        .isEqualTo("Audit");
    assertThat(cluster.refused(SETS + "?dryRun=All", bad)).isEmpty();
  }
}
